"""Export of a run as a standalone Python script with its data."""
