"""String formats as pydantic means them, in the terms of JSON Schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_YEAR = "(?:000[1-9]|00[1-9][0-9]|0[1-9][0-9]{2}|[1-9][0-9]{3})"
_DAY = "(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
NAIVE_DATETIME = rf"^{_YEAR}-{_DAY}T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{{1,6}})?$"

_OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_IPV4 = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
# no label with two hyphens in a row, for that may be a broken xn--; no digits in the last, for that may be an address
_NAME = r"(?:[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\.)*[A-Za-z]{1,24}"
_PLACE = rf"(?:{_NAME}|{_IPV4})(?::[1-9][0-9]{{0,3}})?(?:[/?#].*)?"
_SECOND = "[0-5]"  # not the 60th, a leap second

_GROUP = "(?:[0-9a-f]{1,4}:)"
_IPV4_INTERFACE = {"pattern": rf"^{_IPV4}(?:/(?:[0-9]|[12][0-9]|3[0-2]))?$"}
_IPV6_INTERFACE = {"anyOf": [{"format": "ipv6"}, {"pattern": f"^{_GROUP}{{1,6}}:/(?:[1-9]?[0-9]|1[01][0-9]|12[0-8])$"}]}
# networks end in zeros: whole octets and groups of them
_IPV4_NETWORK = {
    "pattern": rf"^(?:{_IPV4}(?:/32)?|{_OCTET}\.{_OCTET}\.{_OCTET}\.0/(?:2[4-9]|3[01])"
    rf"|{_OCTET}\.{_OCTET}\.0\.0/(?:1[6-9]|2[0-3])|{_OCTET}\.0\.0\.0/(?:[89]|1[0-5]))$"
}
_IPV6_NETWORK = {
    "anyOf": [
        {"format": "ipv6"},
        {"pattern": f"^{_GROUP}{{1,2}}:/(?:3[2-9]|[45][0-9])$"},
        {"pattern": f"^{_GROUP}{{1,4}}:/(?:6[4-9]|[7-9][0-9]|1[01][0-9]|12[0-8])$"},
    ]
}


def _base64(characters: str) -> dict[str, Any]:
    return {"pattern": f"^(?:[{characters}]{{4}})*(?:[{characters}]{{2}}==|[{characters}]{{3}}=)?$"}


def _uuid(version: int) -> dict[str, Any]:
    return {"format": "uuid", "pattern": f"^.{{14}}{version}.{{4}}[89abAB]"}


# what takes the place of a format
TIGHTER: dict[str, dict[str, Any]] = {
    "date": {"format": "date", "pattern": f"^{_YEAR}-"},
    "date-time": {"format": "date-time", "pattern": f"^{_YEAR}-.{{12}}{_SECOND}"},
    "time": {"format": "time", "pattern": f"^.{{6}}{_SECOND}"},
    "duration": {"format": "duration", "pattern": "^[^0-9]*(?:[0-9]{1,5}[^0-9]+)*$"},
    "ipvanyaddress": {"anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]},
    "ipv4network": _IPV4_NETWORK,
    "ipv6network": _IPV6_NETWORK,
    "ipvanynetwork": {"anyOf": [_IPV4_NETWORK, _IPV6_NETWORK]},
    "ipv4interface": _IPV4_INTERFACE,
    "ipv6interface": _IPV6_INTERFACE,
    "ipvanyinterface": {"anyOf": [_IPV4_INTERFACE, _IPV6_INTERFACE]},
    "base64": _base64("A-Za-z0-9+/"),
    "base64url": _base64("A-Za-z0-9_-"),
    **{f"uuid{version}": _uuid(version) for version in range(1, 9)},
}


def url_pattern(schemes: Sequence[str] | None) -> str:
    """URLs of these schemes, or of any; the hosts are names and IPv4 addresses that cannot be misread."""
    if schemes:
        return f"^(?:{'|'.join(schemes)})://{_PLACE}$"
    return f"^(?:[A-Za-z][A-Za-z0-9+.-]*://{_PLACE}|(?:mailto|urn|tel|data):.*|file:///.*)$"
