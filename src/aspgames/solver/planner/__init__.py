"""The planner: the shortest lines of one role, or of two who help each other."""
