"""Figures of the room: the votes of a hall."""
