"""People known by PIN: the file, the PINs, who is barred, and the desk where they sign in."""
