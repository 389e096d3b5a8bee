"""Google's DiffusionGemma as a denoiser: an encoder reads the prompt, a decoder denoises one block after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from dgsolve import chat
from dgsolve.canvas import Canvas
from dgsolve.denoisers import attention_masks, grid_writing, model_folder, model_loading
from dgsolve.denoisers.base import Denoiser, IndexVocabulary
from dgsolve.denoisers.conditioned_pass import conditioned
from dgsolve.denoisers.diffusion_gemma_settings import recommended, require_sound
from dgsolve.denoisers.diffusion_gemma_state import DiffusionState
from dgsolve.denoisers.encoded_prefix import EncodedPrefix
from dgsolve.denoisers.image_reader import ImageReader
from dgsolve.denoisers.lora_adapters import Adapters
from dgsolve.denoisers.quantized_weights import Quantize
from dgsolve.denoisers.shown_prompt import ShownPrompt
from dgsolve.denoisers.written_canvas import WrittenCanvas
from dgsolve.errors import UsageError
from dgsolve.kernels.self_conditioning import self_conditioning
from dgsolve.problem import Problem, TextProblem, Vocabulary
from dgsolve.randomness import Stream
from dgsolve.sampling.drafting import Draft
from dgsolve.switches import refuse_unswitched

if TYPE_CHECKING:
    from transformers import DiffusionGemmaForBlockDiffusion

    from dgsolve.language.vocabulary import TextVocabulary

SHIPPED = "diffusion-gemma"  # the small one


class DiffusionGemmaDenoiser(Denoiser):
    """Uniform-state diffusion of a block of `canvas_slots` slots, given prompt and earlier blocks in a KV cache.

    Each step's proposals come back to the model as its self-conditioning; a block that settled is read by the encoder
    when the next one begins. Rows may be in different blocks of different steps.
    Source: DiffusionGemma, transformers.models.diffusion_gemma; `generate` there is the loop that ours must equal.
    """

    name = "diffusion-gemma"
    canvas_slots: int
    text: TextVocabulary

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        vocabulary: TextVocabulary,
        *,
        images: ImageReader | None = None,
        lines: bool = False,
    ) -> None:
        """images: what reads them, None: nothing does. lines: a grid is written row by row, a line each."""
        self.model, self.tokenizer, self.text, self.lines = model.eval(), tokenizer, vocabulary, lines
        self.config, self.images = model.config, images or ImageReader()
        require_sound(model)
        self.canvas_slots = int(self.config.canvas_length)
        self.sampling = recommended(model)

    @classmethod
    def from_transformers(
        cls, model: DiffusionGemmaForBlockDiffusion, tokenizer: Any, *, lines: bool = False
    ) -> DiffusionGemmaDenoiser:
        """An already loaded model (it is put into evaluation mode) with its tokenizer, or processor for images too."""
        from dgsolve.language.vocabulary import from_tokenizer

        model_folder.require_kind(type(model).__name__, model.config.model_type, diffusion=True)
        sees = getattr(tokenizer, "image_processor", None)
        tokenizer = getattr(tokenizer, "tokenizer", tokenizer)
        vocabulary = from_tokenizer(tokenizer, model.lm_head.weight.shape[0], model_loading.end_ids(model))
        return cls(model, tokenizer, vocabulary, images=ImageReader(sees), lines=lines)

    @classmethod
    def load(
        cls,
        source: str | Path | None = None,
        *,
        device: str = "auto",
        dtype: torch.dtype | None = None,
        adapter: Adapters = None,
        merge: bool = False,
        quantize: Quantize | None = None,
        lines: bool = False,
        progress: Callable[[str], None] = lambda _: None,
    ) -> DiffusionGemmaDenoiser:
        """A folder with the model and its tokenizer, or a name on the Hub; None: the small one that ships.

        lines: grids are written row by row. The others are those of `model_loading.Placement`; progress is told what
        takes long. Raises UsageError for a name that cannot be one, ModelUnavailableError where it cannot be had.
        """
        from transformers import DiffusionGemmaForBlockDiffusion

        refuse_unswitched(lines=lines)
        placement = model_loading.Placement(device, dtype, adapter, merge, quantize)
        place = model_loading.resolved(source or SHIPPED, progress)
        loaded: Any = model_loading.load(DiffusionGemmaForBlockDiffusion, place, placement, progress)
        model, tokenizer, weights = loaded
        denoiser = cls.from_transformers(model, tokenizer, lines=lines)
        denoiser.weights, denoiser.images = weights, ImageReader(place=place)
        return denoiser

    @property
    def device(self) -> torch.device:
        """Where token ids go in; canvases may lie elsewhere."""
        return self._decoder.embed_tokens.weight.device

    @property
    def context(self) -> int:
        """Tokens of a prompt and its answer together."""
        return int(self.config.text_config.max_position_embeddings)

    def reads(self, problem: Problem) -> bool:
        """Texts, and grids that are asked in words, with a token for each symbol, in one canvas."""
        try:
            self.vocabulary(problem), self._asked(problem, 0), self._written(problem, 0)
        except UsageError:
            return False
        return True

    def vocabulary(self, problem: Problem) -> Vocabulary:
        if isinstance(problem, TextProblem):
            return self.text
        grid = problem.grid()
        if grid is None:
            raise UsageError(f"{self.name} cannot write {problem.describe()}: it is neither a text nor a grid")
        return IndexVocabulary(len(grid.symbols))

    def start(self, problem: Problem, canvas: Canvas) -> DiffusionState:
        """Fresh run state; the prompt is read before the first step, once for all rows that share it.

        Raises UsageError for a problem without a prompt, or with one too long for the model's context.
        """
        length = canvas.tokens.shape[1]
        prompt, written = self._asked(problem, length), self._written(problem, length)
        width = self._decoder.embed_tokens.weight.shape[1]
        signal = torch.zeros(len(written.tokens), width, dtype=self.model.dtype, device=self.device)
        return DiffusionState.start(prompt, len(canvas.tokens), written, signal, self._windows)

    def prompt_tokens(self, problem: Problem) -> int:
        return len(self._asked(problem, 0))

    def require_room(self, problem: Problem, slots: int) -> None:
        self._asked(problem, slots)

    def require_sight(self) -> None:
        self.images.processor()

    @classmethod
    def require_sight_of(cls, place: str) -> None:
        ImageReader(place=model_loading.resolved(place, lambda _: None)).processor()

    @torch.inference_mode()
    def denoise(self, tokens: Tensor, state: DiffusionState) -> tuple[Tensor, DiffusionState]:
        """One step of each row's block: tokens Int [B, L] -> logits Float32 [B, W, V] about its slots."""
        state = self._commit(tokens, self._read_prompts(state))
        width = len(state.written.places)
        window = state.settled[:, None] + torch.arange(width)
        canvas = state.written.write(tokens.gather(1, window)).to(self.device)
        hidden = self._decode(canvas, state)[:, state.written.places.to(self.device)]
        logits = self._logits(hidden, state.written.ids)
        self.require_numbers(logits)
        return logits if state.written.ids is None else logits.to(tokens.device), state  # a few values move cheaply

    @torch.inference_mode()
    def condition(self, state: DiffusionState, draft: Draft, on: str) -> DiffusionState:
        """With soft embeddings of what the step believed: marginals of the posterior, or softmax(logits), times E."""
        if on == "none" or draft.posterior is None or draft.logits is None or draft.heat is None:
            return state
        embed = self._decoder.embed_tokens
        rows = embed.weight if state.written.ids is None else embed.weight[state.written.ids.to(self.device)]
        scale = embed.embed_scale.to(rows.dtype)
        if on == "logits":
            soft = self_conditioning(draft.logits.to(self.device), draft.heat.to(self.device), rows, float(scale))
        else:
            soft = draft.posterior.marginals.to(rows) @ rows * scale  # [B, W, D]
        places = state.written.places.to(self.device)
        return replace(state, signal=state.signal.index_copy(1, places, soft))

    def noise(self, canvas: Canvas, vocabulary: Vocabulary, stream: Stream) -> Tensor:
        """Uniform over all tokens of the model, as it was trained: in a grid most of the noise is no symbol at all."""
        if isinstance(vocabulary, IndexVocabulary):
            noise = -1 - stream.integers(self.text.size, canvas.tokens.shape[1:])
            return canvas.tokens.where(canvas.locked, noise)
        return super().noise(canvas, vocabulary, stream)

    def settle(self, state: DiffusionState, settled: Tensor) -> DiffusionState:
        """The state told that the first `settled` slots of each canvas, Int [B], will not change any more."""
        begins = (settled > state.settled).to(state.signal.device)
        signal = state.signal.masked_fill(begins[:, None, None], 0)
        return replace(state, settled=settled, signal=signal)

    def _asked(self, problem: Problem, slots: int) -> ShownPrompt:
        """The prompt; raises UsageError where there is none, or no room after it for so many slots."""
        question, thinking = problem.question(lines=self.lines), problem.thinking is not None
        if question is None:
            raise UsageError(f"{self.name} cannot read {problem.describe()}: it has no prompt")
        prompt = ShownPrompt.of(question, self.tokenizer, self.config, self.images, thinking=thinking)
        chat.require_room(len(prompt), max(slots, self.canvas_slots), self.context, prompt.sizes)
        return prompt

    def _written(self, problem: Problem, length: int) -> WrittenCanvas:
        grid = None if isinstance(problem, TextProblem) else problem.grid()
        if grid is not None:
            symbols = [grid_writing.single_token(symbol, self.tokenizer, self.text) for symbol in grid.symbols]
            breaks = grid_writing.single_token("\n", self.tokenizer, self.text) if self.lines else None
            return grid_writing.written(grid, symbols, self.text, self.canvas_slots, breaks)
        if length % self.canvas_slots:
            message = f"a text of {length} slots is no whole number of blocks of {self.canvas_slots}"
            raise UsageError(message, hint=f"Give the problem canvas_slots={self.canvas_slots}.")
        return WrittenCanvas.of_tokens(self.canvas_slots)

    def _read_prompts(self, state: DiffusionState) -> DiffusionState:
        """Every prompt that is new here goes through the encoder once."""
        for prompt, rows in state.unread():
            reader = state.reader(prompt)
            read = self._encode_prompt(prompt) if reader is None else state.prefix.rows(torch.tensor([reader]))
            copies = read.rows(torch.zeros(len(rows), dtype=torch.long))
            state = replace(state, prefix=state.prefix.put(torch.tensor(rows), copies))
        return state

    def _encode_prompt(self, prompt: ShownPrompt) -> EncodedPrefix:
        from transformers import DynamicCache

        cache = DynamicCache(config=self.config.text_config)
        cache = self._encoder(**prompt.inputs(self._encoder, self.config, cache, self.images)).cache
        return EncodedPrefix.from_transformers(cache, torch.tensor([len(prompt)]), self._windows)

    def _commit(self, tokens: Tensor, state: DiffusionState) -> DiffusionState:
        """The blocks that settled since the last step go through the encoder; tokens Int [B, L] are final there."""
        due = (state.settled > state.committed).nonzero().flatten()
        if not len(due):
            return state
        block = state.committed[due][:, None] + torch.arange(self.canvas_slots)
        ids, before = tokens[due].gather(1, block), state.prefix.rows(due)
        masks = {
            kind: attention_masks.encoder(before.places(window), before.lengths, ids.shape[1], window)
            for kind, window in self._window_of.items()
        }
        positions = before.lengths[:, None] + torch.arange(ids.shape[1])
        cache = self._encoder(
            input_ids=ids.to(self.device),
            attention_mask=attention_masks.placed(masks, self.device, self._adds),
            cache=before.to_transformers(),
            position_ids=positions.to(self.device),
        ).cache
        after = EncodedPrefix.from_transformers(cache, before.lengths + ids.shape[1], self._windows)
        committed = state.committed.index_add(0, due, torch.full_like(due, self.canvas_slots))
        return replace(state, prefix=state.prefix.put(due, after), committed=committed)

    def _decode(self, canvas: Tensor, state: DiffusionState) -> Tensor:
        """Hidden states, [B, S, D], of the model's canvases, Int [B, S]."""
        prefix, slots = state.prefix, canvas.shape[1]
        masks = {
            kind: attention_masks.decoder(prefix.places(window), slots) for kind, window in self._window_of.items()
        }
        positions = prefix.lengths[:, None] + torch.arange(slots)
        with conditioned(self._decoder.self_conditioning, state.signal):
            return self._decoder(
                decoder_input_ids=canvas,
                cache=prefix.to_transformers(),
                decoder_attention_mask=attention_masks.placed(masks, self.device, self._adds),
                decoder_position_ids=positions.to(self.device),
            ).last_hidden_state

    def _logits(self, hidden: Tensor, ids: Tensor | None) -> Tensor:
        """Float32 [B, W, K] from hidden states [B, W, D], of the tokens `ids`, Int [K], alone where there are any."""
        head, cap = self.model.lm_head, self.model.final_logit_softcapping
        logits = head(hidden) if ids is None else hidden @ head.weight[ids.to(self.device)].T
        return logits.float().div_(cap).tanh_().mul_(cap)

    @property
    def _encoder(self) -> Any:
        return self.model.model.encoder

    @property
    def _decoder(self) -> Any:
        return self.model.model.decoder

    @property
    def _adds(self) -> torch.dtype | None:
        """In what the model's attention adds masks to its weights; None where it takes them as they are."""
        return self.model.dtype if self.config._attn_implementation == "eager" else None

    @cached_property
    def _window_of(self) -> dict[str, int | None]:
        """For each kind of attention, how many of the newest tokens before the canvas it sees."""
        window = self.config.text_config.sliding_window - 1
        return {"full_attention": None, "sliding_attention": window}

    @cached_property
    def _windows(self) -> tuple[int | None, ...]:
        return tuple(self._window_of[kind] for kind in self.config.text_config.layer_types)
