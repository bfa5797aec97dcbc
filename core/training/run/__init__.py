"""The live run: what trains in a thread while pages show it."""
