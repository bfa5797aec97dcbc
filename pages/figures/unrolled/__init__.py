"""Figures of the page "Unrolled"."""
