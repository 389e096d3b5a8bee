"""The compiled loops over the logits of a slot: sums and largest logit, class by class, and draws."""

import math

import numpy as np
from numba import njit

from dgsolve.constraints.class_layout import BLOCK
from dgsolve.constraints.prefetch import LINE, prefetch

SAMPLE = 1024  # logits by which the shift of a slot is chosen
CENTRED = np.float32(32.0)  # a slot whose largest logit is this near to 0 is not shifted
LEAST_KEY = np.int32(-(1 << 31))
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
def class_sums(logits, slots, order, starts, first, kind, end, shift, total, moment, best, block):
    """Of the slots, rows of logits Float32 [W, t], by the class of each place; the places as in `Runs`.

    Fills, for each of r slots and k classes, Float64 [r, k] total and moment, the sums of e = exp(x - shift) and of
    e (x - shift); best Float32 [r, k], the largest x; block Int32 [r, k], the first in which it is. shift Float32 [r].
    """
    x, e, weighted = np.empty(BLOCK, np.float32), np.empty(BLOCK, np.float32), np.empty(BLOCK, np.float32)
    total[:], moment[:] = 0.0, 0.0
    largest = np.full(best.shape, LEAST_KEY)
    for number in range(slots.size):
        shift[number] = _shift(logits[slots[number]])
    for part in range(starts.size - 1):
        places, low = order[starts[part] : starts[part + 1]], part * BLOCK
        for number in range(slots.size):
            following = slots[min(number + 1, slots.size - 1)]
            ahead = logits[following, low : low + BLOCK]
            _in_order(logits[slots[number], low : low + BLOCK], places, x, ahead)
            _exponentials(x[: places.size], shift[number], e, weighted)
            begin = 0
            for run in range(first[part], first[part + 1]):
                label, some = kind[run], slice(begin, end[run])
                sums = _run_sums(x[some], e[some], weighted[some])
                total[number, label] += sums[0]
                moment[number, label] += sums[1]
                if sums[2] > largest[number, label]:
                    largest[number, label], block[number, label] = sums[2], part
                begin = end[run]
    best[:] = _key(largest).view(np.float32)


@njit(cache=True, nogil=True, error_model="numpy")
def _in_order(row, places, x, ahead):
    """Into x some places of a row of logits, while `ahead`, which is read next, comes from memory."""
    size, line = np.uint64(places.size), np.uint64(LINE)  # unsigned: an index that might be negative is checked
    whole = size - size % line
    for low in range(np.uint64(0), whole, line):
        prefetch(ahead, low)
        for i in range(line):
            x[low + i] = row[np.uint64(places[low + i])]
    for i in range(whole, size):
        x[i] = row[np.uint64(places[i])]


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"reassoc", "nsz"})
def _run_sums(x, e, weighted):
    """The sums of two, and the largest `_key` of the logits x, Float32 [n] all of them; a loop over vectors."""
    total, moment, largest = 0.0, 0.0, LEAST_KEY
    for i in range(x.size):
        total += e[i]
        moment += weighted[i]
        largest = max(largest, np.int32(_key(np.float32(x[i]).view(np.int32))))  # else 64 bits: half as many a vector
    return total, moment, largest


@njit(cache=True, nogil=True)
def _key(bits):
    """Of the bits of a float32 an int32, and back, such that a larger number has a larger one: compared in vectors."""
    return bits ^ ((bits >> np.int32(31)) & np.int32(0x7FFFFFFF))


@njit(cache=True, nogil=True, error_model="numpy")
def drawn_place(row, tokens, best, goal):
    """The place in `tokens`, Int32 [n], where the sum of exp(row[token] - best) from the left first reaches `goal`.

    best: the largest logit of the tokens. Their last place where rounding leaves the sum below.
    """
    x, e, weighted = np.empty(BLOCK, np.float32), np.empty(BLOCK, np.float32), np.empty(BLOCK, np.float32)
    total = 0.0
    for low in range(0, tokens.size, BLOCK):
        some = tokens[low : low + BLOCK]
        _in_order(row, some, x, tokens[low + BLOCK :])
        _exponentials(x[: some.size], best, e, weighted)
        part = 0.0
        for i in range(some.size):
            part += e[i]
        if total + part >= goal:
            for i in range(some.size):
                total += e[i]
                if total >= goal:
                    return low + i
        else:
            total += part
    return tokens.size - 1


@njit(cache=True, nogil=True)
def place_of(x, row, tokens, low):
    """The first place in `tokens`, Int32 [n], whose logit row[token - low] is x; 0 where a bound stands for x."""
    for place in range(tokens.size):
        if row[tokens[place] - low] == x:
            return place
    return 0


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
