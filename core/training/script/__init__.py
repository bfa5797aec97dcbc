"""A run as a Python program of its own, written out with its data."""
