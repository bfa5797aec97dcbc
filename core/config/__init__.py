"""Settings and their valid ranges: hyperparameters, links, languages, limits of a server."""
