"""The live run: training in a thread while pages show the results."""
