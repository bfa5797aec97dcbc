"""Figures of the page "Gradient flow"."""
