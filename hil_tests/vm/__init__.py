"""The project installed on a Debian box that is a virtual machine: kernel, systemd, udev, real USB.

From the bottom up, each file knowing only those above it:

- :mod:`~hil_tests.vm.places` says where things are kept; :mod:`~hil_tests.vm.image` makes the disk
  of a Debian system once, :mod:`~hil_tests.vm.checkout` a disk of the source, for every run anew;
- :mod:`~hil_tests.vm.qmp` and :mod:`~hil_tests.vm.machine` run QEMU;
- :mod:`~hil_tests.vm.disk` is the disk of the journal, which forgets what was not flushed;
- :mod:`~hil_tests.vm.agent` runs in the guest, :mod:`~hil_tests.vm.guest` asks it;
- :mod:`~hil_tests.vm.base` boots and installs once, :mod:`~hil_tests.vm.box` is one box made of
  that, :mod:`~hil_tests.vm.bench` the bench of scenarios.
"""
