"""The compiled loops over the logits of a slot: sums, largest logit and its token, class by class."""

import math

import numpy as np
from numba import njit

CHUNK = 1024  # logits whose exponentials are kept in the innermost cache
LANES = 4  # sums kept side by side for each class: to add to one that was just written to takes ten times as long
SAMPLE = 1024  # logits by which the shift of a slot is chosen
CENTRED = np.float32(32.0)  # a slot whose largest logit is this near to 0 is not shifted
FLOOR, CEILING = np.float32(-1e4), np.float32(1e4)  # what logits are bounded by, base.LOGIT_FLOOR
LOWEST, HIGHEST = np.float32(-86.0), np.float32(88.0)  # where exp stays within float32's normal range

# exp(t) = 2^n exp(r), t = n log 2 + r: log 2 in two parts, and a polynomial for exp(r)
PER_OCTAVE, LOG2_HIGH, LOG2_LOW = np.float32(1.44269504), np.float32(0.693359375), np.float32(-2.12194440e-4)
ROUNDER = np.float32(12582912.0)  # 1.5 * 2^23: of a sum with it the lowest bits are the number, rounded to an integer
ONE, C2, C3, C4, C5 = (np.float32(c) for c in (1.0, 0.49999229, 0.16667116, 0.041890553, 0.0083124797))


@njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
def _exponentials(row, shift, e, moment):
    """e = exp(x - shift) and e * (x - shift) of some logits x, both Float32 [n]; the loop is one over vectors."""
    for i in range(row.size):
        t = row[i] - shift
        t = t if t > LOWEST else LOWEST  # also where it is not a number
        t = t if t < HIGHEST else HIGHEST
        z = t * PER_OCTAVE + ROUNDER
        n = z - ROUNDER
        r = t - n * LOG2_HIGH - n * LOG2_LOW
        series = ((((C5 * r + C4) * r + C3) * r + C2) * r + ONE) * r + ONE
        octaves = np.int32(np.float32(z).view(np.int32) << np.int32(23))
        value = np.int32(np.float32(series).view(np.int32) + octaves).view(np.float32)
        e[i] = value
        moment[i] = value * t


@njit(cache=True, nogil=True)
def _shift(row):
    """About the largest logit, by some of them; 0 where that is near enough."""
    largest = FLOOR
    for i in range(0, row.size, max(1, row.size // SAMPLE)):
        if row[i] > largest:
            largest = row[i]
    if largest > CEILING:
        largest = CEILING
    return largest if abs(largest) > CENTRED else np.float32(0.0)


@njit(cache=True, nogil=True, error_model="numpy")
def class_sums(logits, slots, kinds, shift, total, moment, best, place):
    """Of the slots, rows of logits Float32 [W, t], by the class of each place: kinds, unsigned [t], k for no class.

    Fills, for each of r slots, shift Float32 [r], and Float64 [r, k + 1] total and moment, the sums of
    e = exp(x - shift) and of e (x - shift); best Float32 [r, k + 1], the largest x; place Int32 [r, k + 1], the first
    of those. best is -inf and place -1 where no x is larger than -inf.
    """
    e, weighted = np.empty(CHUNK, np.float32), np.empty(CHUNK, np.float32)
    lanes = np.empty(2 * LANES * total.shape[1])  # of each class and lane, the two sums; flat, which is twice as fast
    best[:] = -np.inf
    place[:] = -1
    for number in range(slots.size):
        row, largest, first = logits[slots[number]], best[number], place[number]
        shift[number] = _shift(row)
        lanes[:] = 0.0
        for low in range(0, row.size, CHUNK):
            some = row[low : low + CHUNK]
            _exponentials(some, shift[number], e, weighted)
            _add_chunk(some, kinds[low : low + CHUNK], e, weighted, low, lanes, largest, first)
        for kind in range(total.shape[1]):
            mine = lanes[2 * LANES * kind : 2 * LANES * (kind + 1)]
            total[number, kind], moment[number, kind] = mine[::2].sum(), mine[1::2].sum()


@njit(cache=True, nogil=True, error_model="numpy")
def _add_chunk(row, kinds, e, weighted, low, lanes, best, place):
    """Add some logits of a slot, from place `low` on, to the sums, and see whether they are larger."""
    whole = row.size // LANES
    for group in range(np.uint64(whole)):  # unsigned: an index that might be negative is checked
        for lane in range(np.uint64(LANES)):
            i = group * np.uint64(LANES) + lane
            kind = kinds[i]
            at = np.uint64(2) * (np.uint64(kind) * np.uint64(LANES) + lane)
            lanes[at] += e[i]
            lanes[at + np.uint64(1)] += weighted[i]
            if row[i] > best[kind]:
                best[kind] = row[i]
                place[kind] = low + np.int64(i)
    for i in range(whole * LANES, row.size):
        kind = kinds[i]
        lanes[2 * LANES * np.int64(kind)] += e[i]
        lanes[2 * LANES * np.int64(kind) + 1] += weighted[i]
        if row[i] > best[kind]:
            best[kind] = row[i]
            place[kind] = low + i


@njit(cache=True, nogil=True, error_model="numpy")
def drawn_place(row, kinds, kind, best, goal):
    """The place, among those of one class, where the sum of exp(x - best) from the left first reaches `goal`.

    row Float32 [t], kinds as in `class_sums`; best: the largest x of the class. Its last place where rounding leaves
    the sum below.
    """
    e, weighted = np.empty(CHUNK, np.float32), np.empty(CHUNK, np.float32)
    total, last = 0.0, -1
    for low in range(0, row.size, CHUNK):
        some, mine = row[low : low + CHUNK], kinds[low : low + CHUNK]
        _exponentials(some, best, e, weighted)
        part = 0.0
        for i in range(some.size):
            if mine[i] == kind:
                part += e[i]
                last = low + i
        if total + part >= goal:
            for i in range(some.size):
                if mine[i] == kind:
                    total += e[i]
                    last = low + i
                    if total >= goal:
                        return last
        else:
            total += part
    return last


@njit(cache=True, nogil=True)
def sums_one_by_one(row, tokens):
    """Log of the sum of exp(x), entropy, largest x and its token, in float64; of some tokens' bounded logits x."""
    best, chosen = -np.inf, -1
    for token in tokens:
        x = _bounded(row[token])
        if x > best:
            best, chosen = x, token
    total, moment = 0.0, 0.0
    for token in tokens:
        below = _bounded(row[token]) - best
        total += math.exp(below)
        moment += math.exp(below) * below
    return math.log(total) + best, max(math.log(total) - moment / total, 0.0), best, chosen


@njit(cache=True, nogil=True)
def _bounded(x):
    if not x > FLOOR:
        return np.float64(FLOOR)
    return np.float64(x) if x < CEILING else np.float64(CEILING)
