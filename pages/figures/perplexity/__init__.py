"""Figures of the page "Perplexity"."""
