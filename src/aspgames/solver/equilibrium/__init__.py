"""Equilibria of small games of two players, with chance and hidden information."""
