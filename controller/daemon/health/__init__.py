"""The health of the controller itself: self-tests, watches, and the reports of their findings."""
