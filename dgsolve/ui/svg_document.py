"""The SVG document around pictures: its paper, its type and its colours, on light and on dark screens."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape

from dgsolve.drawing.looks import ink_on
from dgsolve.ui import palette

MARGIN = 16  # pixels on all sides
_NOT_IN_XML = re.compile("[^\\t\\n\\r\\u0020-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


def xml_text(words: str) -> str:
    """Words as they stand in a document, for elements and attributes alike."""
    return escape(_NOT_IN_XML.sub("\ufffd", words), {'"': "&quot;"})


def paint(colour: str) -> str:
    """The attribute that fills a shape with a colour #rrggbb, "" for none."""
    return f' style="fill:{colour}"' if colour else ""


def ink(colour: str) -> str:
    """The attribute of words on a colour #rrggbb, "" for those on paper."""
    return paint(ink_on(colour)) if colour else ""


def document(width: int, height: int, title: str, groups: Sequence[str], style: str = "") -> str:
    """The document of pictures that are `width` and `height` pixels large together; `style` comes after its own."""
    width, height = width + 2 * MARGIN, height + 2 * MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            f' xml:space="preserve" role="img" aria-label="{xml_text(title)}">',
            f"<style>{_STYLE}{style}</style>",
            f'<rect class="paper" width="{width}" height="{height}" rx="8"/>',
            f'<g transform="translate({MARGIN} {MARGIN})">',
            *groups,
            "</g>",
            "</svg>",
            "",
        ]
    )


_STYLE = (
    "svg{color:#1f2328}.paper,.node{fill:#ffffff}"
    "@media(prefers-color-scheme:dark){svg{color:#e6edf3}.paper,.node{fill:#0d1117}}"
    "text{font:16px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;text-anchor:middle;fill:currentColor}"
    ".line,.note{text-anchor:start;white-space:pre}.note{font-size:13px}"
    ".clue{font-size:13px}.before{text-anchor:end}.after{text-anchor:start}.sign{font-size:15px}"
    ".piece{font-size:22px}.label{font-size:10px;text-anchor:start}.small{font-size:11px}"
    ".given{font-weight:700}.fault{fill:#ffffff;font-weight:700}"
    f".forced{{fill:{palette.FORCED_COLOR};font-style:italic}}"
    f"tspan.fault{{fill:{palette.FAULT_COLOR};text-decoration:underline}}"
    "rect.given,rect.settled,.bulb,.tint,.hole{fill:currentColor}.tint{opacity:.12}.hole{opacity:.25}"
    ".tube{fill:none;stroke:currentColor;stroke-width:12;stroke-linecap:round;stroke-linejoin:round}"
    ".tube,.bulb{opacity:.15}"
    ".node{stroke:currentColor}.edge{stroke:currentColor;opacity:.4}"
    ".thin,.thick,.cage,.passage{fill:none;stroke:currentColor}.thin{opacity:.2}.thick,.passage{stroke-width:1.5}"
    ".cage{stroke-dasharray:3 2}.passage{stroke-dasharray:6 3}"
    f".mark{{fill:{palette.FAULT_COLOR}}}.left{{fill:currentColor;opacity:.2}}.done{{fill:#008787}}"
) + "".join(f".{look}{{fill:{color}}}" for look, (_, color) in palette.UNSURE.items())
