"""Parts of several figures: axes, numbers, symbols, colours, tables."""
