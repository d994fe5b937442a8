"""Batches: thousands of games at once, for learning and simulation; `laguna.batch` makes one."""

from laguna.batches.public import Batch, Playouts, batch

__all__ = ["Batch", "Playouts", "batch"]
