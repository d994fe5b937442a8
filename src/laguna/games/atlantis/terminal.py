"""Atlantis drawn as text, from a view."""
