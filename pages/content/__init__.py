"""Texts of the lessons: glossary, guide, names of the sources, presets, scenes and lectures."""
