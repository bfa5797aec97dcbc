"""Saving a run as a file, and opening it again."""
