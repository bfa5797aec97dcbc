"""The recurrent networks, the MLP and the n-gram models; their parameters, loss and samples."""
