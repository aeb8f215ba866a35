"""The project installed on a virtual Debian machine: kernel, systemd, udev, real USB.

From the bottom up, each file knowing only those above it:

- ``places`` says where things are kept; ``image`` makes the disk of a Debian system once;
- ``qmp`` and ``machine`` run QEMU;
- ``disk`` is the disk of the journal, which forgets what was not flushed, ``health`` what ails it;
- ``agent`` runs in the guest, ``guest`` asks it;
- ``base`` boots and installs once, ``controller_machine`` is one made of that, ``machine_bench``
  the bench of scenarios.
"""
