"""The recurrent network and the n-gram models; parameters, loss and samples."""
