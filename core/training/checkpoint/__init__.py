"""A run as a file, and back."""
