"""Any causal language model as a parallel denoiser, by fixed-point iteration over a window of slots."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from dgsolve import chat
from dgsolve.canvas import Canvas
from dgsolve.constraints.token_automaton import TokenAutomaton
from dgsolve.denoisers import model_folder, model_loading
from dgsolve.denoisers.base import Denoiser
from dgsolve.denoisers.causal_cache import KeyValues
from dgsolve.denoisers.causal_guess import guess
from dgsolve.denoisers.causal_state import CausalState, PromptText
from dgsolve.denoisers.causal_window import OVERHEAD_CPU, OVERHEAD_DEVICE
from dgsolve.denoisers.lora_adapters import Adapters
from dgsolve.denoisers.quantized_weights import Quantize
from dgsolve.errors import UsageError
from dgsolve.problem import Problem, Vocabulary
from dgsolve.randomness import Stream
from dgsolve.sampling.fixed_point_drafting import FixedPointDrafting
from dgsolve.sampling.settings import Sampling
from dgsolve.shortened import shown

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

    from dgsolve.language.vocabulary import TextVocabulary

DEFAULT = "smollm2"


class CausalDenoiser(Denoiser):
    """p(x_i | prompt, x_<i) for a window of slots after the settled ones, in one pass.

    Where the tokens fed to a slot's left are right, its logits are those of decoding from left to right; a slot whose
    own choice repeats what it was fed is settled (`sampling.fixed_point`), and keys and values stay for every token
    that is still the same at the next pass. A fixed `window`, 1 or more slots, takes the place of the adapted one.
    Source: Santilli et al. 2023, parallel decoding by Jacobi iteration.
    """

    name = "causal"
    drafting = FixedPointDrafting()
    text: TextVocabulary
    sampling = Sampling(max_denoising_steps=1024, renoise="draft", suppose=False)

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        vocabulary: TextVocabulary,
        window: int | None = None,
    ) -> None:
        if getattr(model.config, "is_encoder_decoder", False) or not model.can_generate():
            raise UsageError(
                f"{type(model).__name__} is no causal language model",
                hint="Load it with transformers.AutoModelForCausalLM.",
            )
        if window is not None and window < 1:
            raise UsageError(f"window={shown(window)}: write a number of slots, 1 or more, or None to adapt it")
        self.model, self.tokenizer, self.window = model.eval(), tokenizer, window
        self.text = vocabulary

    @classmethod
    def from_transformers(
        cls, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, window: int | None = None
    ) -> CausalDenoiser:
        """An already loaded model (it is put into evaluation mode) with its tokenizer."""
        from dgsolve.language.vocabulary import from_tokenizer

        model_folder.require_kind(type(model).__name__, model.config.model_type, diffusion=False)
        size = model.get_output_embeddings().weight.shape[0]
        return cls(model, tokenizer, from_tokenizer(tokenizer, size, model_loading.end_ids(model)), window)

    @classmethod
    def load(
        cls,
        source: str | Path = DEFAULT,
        *,
        device: str = "auto",
        dtype: torch.dtype | None = None,
        adapter: Adapters = None,
        merge: bool = False,
        quantize: Quantize | None = None,
        window: int | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> CausalDenoiser:
        """A model of the catalogue by name (made ready first where it has to be), a folder, or a name on the Hub.

        The others are those of `model_loading.Placement`; progress is told what takes long.
        Raises UsageError for a name that cannot be one, ModelUnavailableError where the model cannot be had.
        """
        from transformers import AutoModelForCausalLM

        placement = model_loading.Placement(device, dtype, adapter, merge, quantize)
        model, tokenizer, weights = model_loading.load(AutoModelForCausalLM, source, placement, progress)
        denoiser = cls.from_transformers(model, tokenizer, window)
        denoiser.weights = weights
        return denoiser

    @property
    def device(self) -> torch.device:
        """Where token ids go in; canvases may lie elsewhere."""
        return self.model.get_input_embeddings().weight.device

    @property
    def context(self) -> int | None:
        """Tokens of a prompt and its answer together, None where the model does not say."""
        return getattr(self.model.config.get_text_config(), "max_position_embeddings", None)

    def vocabulary(self, problem: Problem) -> TextVocabulary:
        return self.text

    def start(self, problem: Problem, canvas: Canvas) -> CausalState:
        """Fresh run state; the prompt is read in the first pass, once for all rows.

        Raises UsageError for a problem without a prompt, or with one too long for the model's context.
        """
        if problem.prompt is None:
            message = f"a causal denoiser cannot read {problem.describe()}: it has no prompt"
            raise UsageError(message, hint="Grids take the relational denoiser or a DiffusionGemma.")
        if chat.images(problem.prompt):
            self.require_sight()
        ids = chat.encode(self.tokenizer, problem.prompt, thinking=problem.thinking is not None)
        chat.require_room(len(ids), canvas.tokens.shape[1], self.context)
        prompt = PromptText(tuple(ids), chat.source_text(problem.prompt).encode())
        state = CausalState.start(prompt, canvas.tokens, self.device)
        if len(state.prompts) > 1 and len(ids) > 1 and self._caches:
            one = state.rows(torch.zeros(1, dtype=torch.long))
            cache = self._pass([ids[:-1]], one.cache, 1)[1]
            state = replace(state, cache=cache.rows(torch.zeros(len(state.prompts), dtype=torch.long)))
        return state

    def prompt_tokens(self, problem: Problem) -> int:
        return len(chat.encode(self.tokenizer, problem.prompt, thinking=problem.thinking is not None))

    def denoise(self, tokens: Tensor, state: CausalState) -> tuple[Tensor, CausalState]:
        """One pass: tokens Int [B, L] -> logits Float [B, W, V] about the W slots after each row's settled ones.

        Row i of a window is p(x | prompt, tokens[: settled + i]). W fits in every row's canvas.
        """
        width = self._width(tokens, state)
        length = tokens.shape[1]
        if width < 1:
            raise UsageError(f"a canvas is settled to its last slot, slot {length - 1}")
        tokens = tokens.clamp(min=0)  # a slot that holds nothing yet is fed anything
        keep = self._kept(tokens, state)
        feed = [
            [*prompt.ids[known:], *row[max(0, known - len(prompt.ids)) : settled + width - 1]]
            for prompt, row, known, settled in zip(
                state.prompts, tokens.tolist(), keep.tolist(), state.settled.tolist(), strict=True
            )
        ]
        logits, cache = self._pass(feed, state.cache.crop(keep), width)
        self.require_numbers(logits)
        return logits.to(tokens.device), replace(state, cache=cache, fed=tokens, width=width)

    def guess(self, tokens: Tensor, canvas: Canvas, state: CausalState) -> Tensor:
        """`tokens`, Int [B, L], with better guesses after the settled slots; -1 where there is nothing to guess."""
        if not isinstance(canvas.constraint, TokenAutomaton):
            return tokens
        sources = [prompt.source for prompt in state.prompts]
        guessed = guess(tokens, state.settled, canvas.constraint, self.text, sources, self._encode)
        pinned = canvas.locked & (torch.arange(tokens.shape[1]) >= state.settled[:, None])
        held = torch.where(canvas.locked, canvas.tokens, tokens).clamp(min=0)  # around pins the text cannot move
        return torch.where(pinned.any(1, keepdim=True), held, guessed)

    def noise(self, canvas: Canvas, vocabulary: Vocabulary, stream: Stream) -> Tensor:
        """-1 in the open slots, Int [B, L]: nothing is known of them yet."""
        return canvas.tokens.where(canvas.locked, -1)

    def settle(self, state: CausalState, settled: Tensor) -> CausalState:
        """The state told that the first `settled` slots of each canvas, Int [B], will not change any more."""
        pace = state.pace.after(settled - state.settled, state.width)
        return replace(state, settled=settled, pace=pace)

    def _encode(self, text: bytes) -> list[int]:
        """As the tokenizer would, which is how the model writes; the vocabulary's way where it cannot."""
        try:
            ids: list[int] = self.tokenizer(text.decode(), add_special_tokens=False)["input_ids"]
        except UnicodeDecodeError:
            ids = []
        return ids if ids and self.text.decode(ids) == text else self.text.encode(text)

    def _width(self, tokens: Tensor, state: CausalState) -> int:
        """As many slots as pay for themselves, but no more after the first one that nobody has a guess for."""
        slots = torch.arange(tokens.shape[1])
        unknown = (tokens < 0) & (slots >= state.settled[:, None])
        known = torch.where(unknown, slots, tokens.shape[1]).amin(1) - state.settled
        wanted = self.window or state.pace.width(self._overhead, int(known.max()))
        return min(wanted, tokens.shape[1] - int(state.settled.max()))

    def _kept(self, tokens: Tensor, state: CausalState) -> Tensor:
        """Int [B]: how much of what was computed is still right, short of the token before the window."""
        same = (tokens == state.fed).long().cumprod(1).sum(1)
        known = state.cache.lengths.to(same.device)
        return torch.minimum(known, state.lengths + torch.minimum(same, state.settled - 1))

    @torch.inference_mode()
    def _pass(self, feed: list[list[int]], cache: KeyValues, width: int) -> tuple[Tensor, KeyValues]:
        """Feed each row its next tokens: logits [B, width, V] of the last `width`, and keys and values of all.

        Shorter rows are filled up on the left, which the attention mask leaves out.
        """
        longest, device = max(map(len, feed)), self.device
        ids = torch.tensor([[0] * (longest - len(row)) + row for row in feed], device=device)  # [B, F]
        fresh = torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in feed], device=device).bool()
        present = torch.cat([cache.present, fresh], 1)  # [B, T + F]
        arguments: dict[str, Any] = {"input_ids": ids, "use_cache": self._caches}
        if not bool(present.all()):
            arguments["attention_mask"] = present.long()
        if "position_ids" in self._parameters:
            arguments["position_ids"] = (present.cumsum(1) - 1).clamp(min=0)[:, cache.present.shape[1] :]
        if "logits_to_keep" in self._parameters:
            arguments["logits_to_keep"] = width
        if self._caches:
            arguments[self._cache_name] = cache.to_transformers()
        result = self.model(**arguments)
        if self._caches:
            cache = KeyValues.from_transformers(result[self._cache_name], present)
        return result.logits[:, -width:], cache

    @cached_property
    def _parameters(self) -> frozenset[str]:
        return frozenset(inspect.signature(self.model.forward).parameters)

    @cached_property
    def _cache_name(self) -> str:
        """What the model calls its keys and values: "cache", earlier "past_key_values"; "" where it has none."""
        return next((name for name in ("cache", "past_key_values") if name in self._parameters), "")

    @cached_property
    def _caches(self) -> bool:
        """Whether keys and values can be kept and cropped; models with other memories read all again at each pass."""
        from transformers import DynamicCache
        from transformers.cache_utils import DynamicLayer, DynamicSlidingWindowLayer

        if not self._cache_name:
            return False
        try:
            layers = DynamicCache(config=self.model.config).layers
        except (AttributeError, KeyError, TypeError):  # layers of a kind that only the model itself knows
            return False
        return all(type(layer) in (DynamicLayer, DynamicSlidingWindowLayer) for layer in layers)

    @property
    def _overhead(self) -> float:
        return OVERHEAD_CPU if self.device.type == "cpu" else OVERHEAD_DEVICE
