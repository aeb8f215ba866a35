"""The catalogue of faults of the controller, its devices and the cards, each with the next step."""
