"""The project installed on a virtual Debian machine: kernel, systemd, udev, real USB.

From the bottom up, each file knowing only those above it:

- ``places`` says where things are kept; ``image`` makes the disk
  of a Debian system once, ``checkout`` a disk of the source, for every run anew;
- ``qmp`` and ``machine`` run QEMU;
- ``disk`` is the disk of the journal, which forgets what was not flushed;
- ``agent`` runs in the guest, ``guest`` asks it;
- ``base`` boots and installs once, ``controller_machine`` is one made of
  that, ``bench`` the bench of scenarios.
"""
