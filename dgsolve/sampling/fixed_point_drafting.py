"""A causal model's passes as drafts: left to right inside the constraint, settled as far as nothing changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import torch
from torch import Tensor
from torch.nn import functional as F

from dgsolve.constraints.base import Constraint, SequentialConstraint
from dgsolve.errors import UsageError
from dgsolve.sampling import fixed_point
from dgsolve.sampling.drafting import Draft, Drafting
from dgsolve.sampling.settings import Sampling

if TYPE_CHECKING:
    from dgsolve.rows import Rows


class FixedPointDrafting(Drafting):
    """Greedy, or with noise of its own for every slot and token: the text that left-to-right decoding gives.

    A canvas that starts again after a fault is drawn, at temperature `t_max`.
    """

    left_to_right: ClassVar[bool] = True

    def draft(
        self, constraint: Constraint, logits: Tensor, fed: Tensor, locked: Tensor, rows: Rows, sampling: Sampling
    ) -> Draft:
        if not isinstance(constraint, SequentialConstraint):
            raise UsageError(
                "a causal denoiser writes from left to right, which this problem's constraint cannot keep to"
            )
        noise = None
        _, width, size = logits.shape
        if sampling.draw or bool(rows.starts.any()):
            noise = fixed_point.noise(rows.stream.seeds, rows.settled, (width, size), sampling.t_max)
            noise[(rows.starts == 0) & (not sampling.draw)] = 0
        choice = constraint.left_to_right(logits, noise)
        tokens = choice.tokens
        settled = fixed_point.accept(tokens, fed)
        accepted = torch.arange(tokens.shape[1]) < settled[:, None]
        sure = int(settled.max())  # how sure the others are will be known when they are settled
        probability, entropy = (F.pad(part, (0, width - sure)) for part in choice.certainty(sure))
        return Draft(tokens, tokens, probability, entropy, accepted, settled)
