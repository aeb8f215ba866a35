"""The catalogue of faults: what may be wrong with box, devices and cards, and the next step."""
