"""Images in a prompt: files, bytes or Pillow's own, read and checked once, before any model runs."""

from __future__ import annotations

import binascii
import io
import warnings
from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dgsolve.errors import ModelUnavailableError, UsageError
from dgsolve.shortened import shown

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

FORMS = "Give the path of a file, its bytes, or an image of Pillow."
PART_KEYS = ("image", "path", "url", "base64", "image_url")  # where parts of messages have their image


@dataclass(frozen=True)
class Image:
    """An image in RGB, turned as its camera says; equal to any other of the same pixels. `name` is for messages."""

    digest: str
    name: str = field(compare=False)
    pillow: PillowImage = field(compare=False, repr=False)

    @classmethod
    def read(cls, source: Any) -> Image:
        """The image that a path, bytes, a data: URL or an image of Pillow is; itself where it is one already.

        Raises UsageError for what is missing or no image, ModelUnavailableError without Pillow.
        """
        if isinstance(source, Image):
            return source
        require_pillow()
        from PIL.Image import Image as PillowImage

        if isinstance(source, PillowImage):
            return _decoded(f"image of {source.width} x {source.height}", source)
        name, data = _bytes(source)
        return _opened(name, data)

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<image {self.name}>"


def require_pillow() -> None:
    """Raise ModelUnavailableError where Pillow is not installed."""
    if find_spec("PIL") is None:
        raise ModelUnavailableError("images need the package Pillow", hint="Do: pip install 'dgsolve[images]'")


def read_all(sources: Any) -> list[Image]:
    """The images of a list of sources, none for None; raises UsageError that names the one that cannot be read."""
    if sources is None:
        return []
    if isinstance(sources, str | bytes | Path) or not isinstance(sources, Sequence):
        raise UsageError(f"images={shown(sources)}: write a list of images", hint=f"images=[...]. {FORMS}")
    return [Image.read(source) for source in sources]


def of_part(part: Mapping[str, Any]) -> Any:
    """What a part of a message, such as {"type": "image", "path": ...}, has for its image; None where nothing."""
    for key in PART_KEYS:
        source = part.get(key)
        if source is not None:
            source = source.get("url") if isinstance(source, Mapping) else source
            return f"data:;base64,{source}" if key == "base64" else source
    return None


def _bytes(source: Any) -> tuple[str, bytes]:
    """What to call a source, and what is in it."""
    if isinstance(source, bytes | bytearray):
        return f"image of {len(source):,} bytes", bytes(source)
    if not isinstance(source, str | Path):
        raise UsageError(f"{shown(source)} is no image", hint=FORMS)
    if str(source).startswith("data:"):
        return "image in a data: URL", _unpacked(str(source))
    if str(source).startswith(("http://", "https://")):
        raise UsageError(f"{shown(source)} is on the web, and dgsolve fetches no images", hint="Download it first.")
    file = Path(source).expanduser()
    try:
        return str(source), file.read_bytes()
    except FileNotFoundError as error:
        raise UsageError(f"there is no image {source}", hint=FORMS) from error
    except (OSError, ValueError) as error:  # a folder, a file of somebody else, a name that no file can have
        said = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"the image {shown(source)} cannot be read: {said}", hint=FORMS) from error


def _unpacked(url: str) -> bytes:
    head, _, body = url.partition(",")
    if not head.endswith(";base64"):
        raise UsageError("an image in a data: URL must be in base64", hint=FORMS)
    try:
        return b64decode(body, validate=True)
    except (binascii.Error, ValueError) as error:
        raise UsageError(f"the base64 of an image is damaged: {error}", hint=FORMS) from error


def _opened(name: str, data: bytes) -> Image:
    from PIL import Image as pillow
    from PIL import UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pillow.DecompressionBombWarning)
            return _decoded(name, pillow.open(io.BytesIO(data)))
    except UnidentifiedImageError as error:
        raise UsageError(f"{name} is no image that Pillow can read", hint="PNG, JPEG, WebP and GIF are.") from error
    except (pillow.DecompressionBombWarning, pillow.DecompressionBombError) as error:
        raise UsageError(f"{name} is too large: {error}", hint="Make it smaller first.") from error
    except (OSError, SyntaxError, ValueError) as error:  # what Pillow's readers raise for files that are cut off
        raise UsageError(f"the image {name} is damaged: {error}", hint="Save it anew.") from error


def _decoded(name: str, found: PillowImage) -> Image:
    from PIL import ImageOps

    if not (found.width and found.height):
        raise UsageError(f"{name} has no pixels", hint=FORMS)
    upright = ImageOps.exif_transpose(found).convert("RGB")
    size = f"{upright.width}x{upright.height}:".encode()
    return Image(sha256(size + upright.tobytes()).hexdigest(), name, upright)
