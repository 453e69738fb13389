"""The answer as a page."""
