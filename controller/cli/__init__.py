"""``tablectl``: the technician's, dealer's and supervisor's command line."""
