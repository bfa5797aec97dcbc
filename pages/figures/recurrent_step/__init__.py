"""Figures of the page "Recurrent step"."""
