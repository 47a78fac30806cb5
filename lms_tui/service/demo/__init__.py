"""A small institute for practice."""
