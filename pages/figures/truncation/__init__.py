"""Figures of the page "Truncation"."""
