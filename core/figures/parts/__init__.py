"""What several figures share: axes, numbers, symbols, colours, tables."""
