"""Texts and formal languages, and what is made of them: symbols, token ids, streams and mini-batches."""
