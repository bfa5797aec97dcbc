"""What is computed of a network beside training: perplexity, gradients over time, Jacobians, truncation, costs."""
