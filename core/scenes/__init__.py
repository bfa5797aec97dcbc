"""Scenes: pages at interesting moments, in the order of the two chapters, and lectures made of them."""
