"""Texts and formal languages, as symbols, token ids, streams and mini-batches."""
