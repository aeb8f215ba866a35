"""The product: a package for Debian, how it is built, and its trials on plain machines.

Nothing of it is on a box. ``make deb`` runs :mod:`appliance.build` here; ``debian/rules`` runs
:mod:`~appliance.venv`, :mod:`~appliance.bill` and :mod:`~appliance.demo_files` in the clean system
that the package is built in.
"""
