"""What a disagreement comes down to: a small position, the disputed move, the line that decides."""
