"""What can be set, and the bounds: hyperparameters, links, limits of a server."""
