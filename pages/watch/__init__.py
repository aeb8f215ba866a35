"""Pictures and texts of the screens of ``tablectl watch``."""
