"""What ``tablectl setup`` shows, as pictures."""
