"""Score matrices: in memory, memory-mapped, as ranks, as distances that are never stored."""
