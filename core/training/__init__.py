"""Truncated BPTT, optimisers, runs that are trained live, their checkpoints, and networks trained side by side."""
