"""The network as PyTorch trains it; `bots/network.py` has the same layers for playing."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from laguna.bots.network import HIDDEN, OUTPUTS, WIDTH


class Model(nn.Module):
    """Sums of rows and counts, then two small layers: a logit of the chance to win, and points to come."""

    divisors: torch.Tensor

    def __init__(self, inputs: Any) -> None:
        super().__init__()
        self.scale = float(inputs.POINTS_UNIT)
        self.rows = nn.Parameter(torch.randn(inputs.ROWS, WIDTH) * (0.5 / inputs.SLOTS**0.5))
        self.counts = nn.Parameter(torch.randn(len(inputs.COUNTS), WIDTH) * 0.1)
        self.sums = nn.Parameter(torch.full((WIDTH,), 0.1))
        self.hidden = nn.Linear(WIDTH, HIDDEN)
        self.last = nn.Linear(HIDDEN, OUTPUTS)
        nn.init.zeros_(self.last.weight)
        nn.init.zeros_(self.last.bias)
        self.register_buffer("divisors", torch.tensor(np.asarray(inputs.COUNTS, np.float32)))

    def forward(self, rows: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        """The two outputs for each position; rows and counts as whole numbers."""
        summed = functional.embedding_bag(rows.int(), self.rows, mode="sum", padding_idx=0)
        summed = summed + (counts.float() / self.divisors) @ self.counts + self.sums
        outputs: torch.Tensor = self.last(functional.relu(self.hidden(functional.relu(summed))))
        return outputs
