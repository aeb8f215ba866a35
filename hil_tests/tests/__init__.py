"""Tests on the virtual bench that are not scenarios, and tests of the tools in this package."""
