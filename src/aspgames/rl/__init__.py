"""Environments for reinforcement learning, and files of games."""
