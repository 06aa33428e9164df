"""Reducing a disagreement to a small position, the disputed move, and the deciding rule."""
