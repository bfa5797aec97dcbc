"""Analyses of a network apart from its training: perplexity, gradients over time, Jacobians, truncation, costs."""
