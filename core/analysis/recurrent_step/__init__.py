"""One step of a recurrent network: shapes, products of matrices, and its derivatives."""
