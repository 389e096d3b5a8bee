"""Weights in 8 or 4 bits, in torch's own operations: made whole again for the product that needs them, and dropped."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import prod
from typing import Any, Literal, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from dgsolve.errors import UsageError
from dgsolve.shortened import shown

Quantize: TypeAlias = Literal["8bit", "4bit"]

BITS: dict[Any, int] = {"8bit": 8, "4bit": 4}
GROUP = 32  # numbers of a row that share a scale in 4 bits; in 8 bits all of a row do
TINY = 1e-30  # a scale below it has no reciprocal
_WORDS = {2: torch.int32, 4: torch.int64, 8: torch.complex128}  # as wide as two numbers of so many bytes
STACKS = ("gate_up_proj", "down_proj")  # of a module of experts, [experts, out, in]
EXPERTS = ("DiffusionGemmaTextExperts",)  # modules whose loop over experts takes one matrix of a stack at a time
WHOLE = ("lm_head", "embed", "router", "vision_tower", "lora_")  # what is left as it is, by a part of its name


class QuantizedWeight(nn.Module):
    """A matrix [N, K], or a stack of them [E, N, K], as whole numbers and a scale for each row or group.

    8 bits: w = scale q, q in -127..127. 4 bits: w = scale (q - 8), the largest of a group at q = 0, two in a byte.
    Like a tensor it gives one matrix of a stack by its number, in `dtype`.
    """

    numbers: Tensor
    scale: Tensor

    def __init__(self, weight: Tensor, bits: int, device: torch.device, dtype: torch.dtype | None = None) -> None:
        super().__init__()
        self.bits, self.columns, self.dtype = bits, weight.shape[-1], dtype or weight.dtype
        matrices = weight if weight.dim() == 3 else weight[None]
        made = [_quantized(matrix.to(device), bits) for matrix in matrices]  # one at a time: float32 takes room
        stacks = (torch.stack(parts) for parts in zip(*made, strict=True))
        numbers, scale = (stack if weight.dim() == 3 else stack[0] for stack in stacks)
        self.register_buffer("numbers", numbers)
        self.register_buffer("scale", scale)

    def __getitem__(self, expert: Any) -> Tensor:
        return self._whole(self.numbers[expert], self.scale[expert])

    def whole(self) -> Tensor:
        """All of it, in `dtype`."""
        return self._whole(self.numbers, self.scale)

    def _whole(self, numbers: Tensor, scale: Tensor) -> Tensor:
        if self.bits == 8:
            return numbers.to(self.dtype).mul_(scale)
        pairs = _pairs(self.dtype, numbers.device)
        found = pairs.index_select(0, numbers.reshape(-1).int()).view(self.dtype)  # both numbers of a byte at once
        groups = found.view(*scale.shape, GROUP).mul_(scale[..., None])
        return groups.flatten(-2)[..., : self.columns]


@cache
def _pairs(dtype: torch.dtype, device: torch.device) -> Tensor:
    """For each byte its two numbers, less 8, side by side in one word [256]."""
    byte = torch.arange(256)
    both = torch.stack((byte & 15, byte >> 4), -1).sub(8).to(device, dtype)
    return both.view(_WORDS[dtype.itemsize]).view(256)


class QuantizedLinear(nn.Module):
    """In place of a Linear layer."""

    def __init__(self, layer: nn.Linear, bits: int, device: torch.device, dtype: torch.dtype | None = None) -> None:
        super().__init__()
        self.in_features, self.out_features = layer.in_features, layer.out_features
        self.weight, self.bias = QuantizedWeight(layer.weight.detach(), bits, device, dtype), layer.bias

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight.whole(), self.bias)


def bits_of(quantize: Any) -> int | None:
    """8 or 4, None for None; raises UsageError for anything else."""
    if quantize is None:
        return None
    if quantize not in BITS:
        raise UsageError(f"quantize={shown(quantize)}: write '8bit' or '4bit', or leave it out")
    return BITS[quantize]


def quantize(model: Any, bits: int, device: torch.device | str, dtype: torch.dtype | None = None) -> Any:
    """Quantise linear layers and experts of a model in place, onto `device`; what shares its weights goes on sharing.

    dtype: in which it computes, None: its own. Embedding, output head, routers and vision tower stay whole.
    """
    made: dict[int, nn.Module] = {}
    stacks = False
    for module, name, weight in list(_quantizable(model)):
        if id(weight) not in made:
            made[id(weight)] = _quantized_part(getattr(module, name), bits, torch.device(device), dtype)
        delattr(module, name)
        setattr(module, name, made[id(weight)])
        stacks = stacks or name in STACKS
    for parameter in model.parameters():
        parameter.data = parameter.data.to(device, dtype)
    model.to(device)  # the buffers, each in its own type
    if stacks:
        model.set_experts_implementation("eager")  # the one that takes an expert at a time
    return model


def quantized_bytes(model: nn.Module, bits: int | None, dtype: torch.dtype | None = None) -> tuple[int, int]:
    """Bytes of a model's weights in so many bits, and how many of them belong to what stays whole.

    bits None: nothing is quantised. dtype: of what stays whole, None: its own. Shapes are enough: the model may lie on
    the meta device.
    """
    chosen = {} if bits is None else {id(weight): weight for _, _, weight in _quantizable(model)}
    whole = sum(
        weight.numel() * (dtype or weight.dtype).itemsize for weight in model.parameters() if id(weight) not in chosen
    )
    return whole + sum(_bytes(weight.shape, bits or 8) for weight in chosen.values()), whole


def _bytes(shape: torch.Size, bits: int) -> int:
    *matrices, columns = shape
    groups = -(-columns // GROUP)
    row = columns + 2 if bits == 8 else groups * (GROUP // 2 + 2)  # a scale has two bytes
    return prod(matrices) * row


def _quantizable(model: nn.Module) -> Iterator[tuple[nn.Module, str, Tensor]]:
    """Modules, and which of their attributes has a weight that can be quantised."""
    for path, module in model.named_modules():
        if any(word in path for word in WHOLE):
            continue
        for name, layer in module.named_children():
            if isinstance(layer, nn.Linear) and not any(word in name for word in WHOLE):
                yield module, name, layer.weight
        if type(module).__name__ in EXPERTS:
            yield from ((module, name, getattr(module, name)) for name in STACKS)


def _quantized_part(part: Any, bits: int, device: torch.device, dtype: torch.dtype | None) -> nn.Module:
    if isinstance(part, nn.Linear):
        return QuantizedLinear(part, bits, device, dtype)
    return QuantizedWeight(part.detach(), bits, device, dtype)


def _quantized(matrix: Tensor, bits: int) -> tuple[Tensor, Tensor]:
    """Numbers and scales of a matrix [N, K]: Int8 [N, K] and [N, 1], or Uint8 [N, padded K / 2] and [N, groups]."""
    groups = matrix.float()
    if bits == 4:
        groups = F.pad(groups, (0, -matrix.shape[-1] % GROUP)).unflatten(-1, (-1, GROUP))  # [N, groups, GROUP]
    low, high = torch.aminmax(groups, dim=-1, keepdim=True)
    largest = torch.where(high >= -low, high, low)
    scale = (largest.abs() / 127 if bits == 8 else largest / -8).bfloat16()
    scale = torch.where(scale.abs() < TINY, 1, scale)  # of nothing but zeros
    numbers = (groups * (1 / scale.float())).round_()
    if bits == 8:
        return numbers.clamp_(-127, 127).to(torch.int8), scale
    numbers = numbers.add_(8).clamp_(0, 15).to(torch.uint8).flatten(-2)
    return numbers[:, ::2] | numbers[:, 1::2] << 4, scale.squeeze(-1)
