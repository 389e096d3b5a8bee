"""Images from files, bytes and data: URLs: equal where their pixels are, refused by name where they are none."""

from __future__ import annotations

import io
from base64 import b64encode
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dgsolve.chat import images, instructed, messages, read
from dgsolve.errors import UsageError
from dgsolve.images import Image, read_all

pytest.importorskip("PIL", reason="Pillow is not installed: pip install 'dgsolve[images]'")

from PIL import Image as pillow


def painted(mode: str = "RGB") -> Any:
    return pillow.frombytes("RGB", (3, 2), bytes(range(18))).convert(mode)


def encoded(image: Any, kind: str = "PNG", **options: Any) -> bytes:
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def test_the_same_pixels_are_the_same_image(tmp_path: Path) -> None:
    data = encoded(painted())
    (tmp_path / "a.png").write_bytes(data)
    url = f"data:image/png;base64,{b64encode(data).decode()}"
    sources = [tmp_path / "a.png", str(tmp_path / "a.png"), data, bytearray(data), painted(), url]
    assert len(set(read_all(sources))) == 1
    assert Image.read(Image.read(data)).name == f"image of {len(data)} bytes"
    others = [painted().rotate(180), painted().resize((2, 3)), pillow.frombytes("RGB", (2, 3), bytes(range(18)))]
    assert len(set(read_all([data, *others]))) == 4


def test_all_kinds_are_rgb_and_upright() -> None:
    for mode in ("L", "RGBA", "P", "CMYK", "1"):
        kind = "TIFF" if mode == "CMYK" else "PNG"
        assert Image.read(encoded(painted(mode), kind)).pillow.mode == "RGB"
    exif = pillow.Exif()
    exif[0x0112] = 6  # a camera held upright
    turned = Image.read(encoded(painted(), exif=exif)).pillow
    assert turned.size == (2, 3) and turned.getpixel((1, 0)) == (0, 1, 2)


def test_what_is_no_image_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "text.png").write_text("a text")
    noise = pillow.frombytes("RGB", (64, 64), Random(0).randbytes(64 * 64 * 3))
    (tmp_path / "cut.png").write_bytes(encoded(noise)[:400])
    cases = [
        (tmp_path / "text.png", "text.png is no image that Pillow can read"),
        (tmp_path / "cut.png", "cut.png is damaged"),
        (tmp_path / "none.png", "there is no image .*none.png"),
        (tmp_path, "cannot be read: Is a directory"),
        ("a\0b", "cannot be read: "),
        ("https://example.org/a.png", "is on the web"),
        ("data:image/png,raw", "must be in base64"),
        ("data:image/png;base64,!", "base64 of an image is damaged"),
        (b"", "image of 0 bytes is no image"),
        (3, "3 is no image"),
        (pillow.new("RGB", (0, 5)), "has no pixels"),
    ]
    for source, words in cases:
        with pytest.raises(UsageError, match=words):
            Image.read(source)
    monkeypatch.setattr(pillow, "MAX_IMAGE_PIXELS", 100)
    with pytest.raises(UsageError, match="is too large"):
        Image.read(encoded(noise))


@pytest.mark.parametrize("given", ["a.png", b"", 3, {"a.png"}])
def test_images_are_a_list(given: Any) -> None:
    with pytest.raises(UsageError, match="write a list of images"):
        read_all(given)


def test_images_stand_before_the_last_text_of_the_user() -> None:
    one, two = Image.read(painted()), Image.read(painted().rotate(180))
    shown = read("What?", [painted(), two])
    image_parts = [{"type": "image", "image": image} for image in (one, two)]
    assert shown == [{"role": "user", "content": [*image_parts, {"type": "text", "text": "What?"}]}]
    assert images(shown) == (one, two) and images("What?") == ()
    assert read(shown) is shown and messages(shown) == shown
    said = instructed(shown, "In JSON.")
    assert said[0]["content"][-1] == {"type": "text", "text": "What?\n\nIn JSON."} and shown[0]["content"][-1] != said
    told = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    assert read(told, [one])[0]["content"] == [image_parts[0], {"type": "text", "text": "a"}]
    assert told[0]["content"] == "a"
    with pytest.raises(UsageError, match="images= go before a message of the user"):
        read(told[1:], [one])


def test_parts_of_messages_have_images_under_the_usual_names(tmp_path: Path) -> None:
    data = encoded(painted())
    (tmp_path / "a.png").write_bytes(data)
    packed = b64encode(data).decode()
    parts = [
        {"type": "image", "image": painted()},
        {"type": "image", "path": str(tmp_path / "a.png")},
        {"type": "image", "base64": packed},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{packed}"}},
        {"type": "input_image", "image_url": f"data:image/png;base64,{packed}"},
    ]
    texts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    shown = read([{"role": "user", "content": [*parts, *texts]}])
    assert len(images(shown)) == len(parts) and len(set(images(shown))) == 1
    assert shown[0]["content"][-1] == {"type": "text", "text": "a\nb"}
    last = instructed(read([{"role": "user", "content": parts[:1]}]), "In JSON.")[0]["content"][-1]
    assert last == {"type": "text", "text": "In JSON."}
