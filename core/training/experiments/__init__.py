"""Several networks side by side: sweeps, races, the echo bound."""
