"""What tries to break a table, and counts what it cost.

``python -m proof.torture NAME ...`` runs one of :data:`proof.torture.__main__.KNOWN`, without a
name all but the last. Each prints its seed and its account, and exits 1 when anything was lost,
came twice, or was accepted that should not have been.
"""
