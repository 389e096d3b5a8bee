"""Names of the dimensions, once for all files.

    B   canvases in a batch                  L   slots of a canvas
    V   tokens of a vocabulary               C   classes of tokens that act alike
    Q   states of an automaton               K   values a slot can hold
    N   candidates (slot, value) still possible in a batch; E their memberships in groups
    G   exactly-one groups in a batch        D   groups a candidate can be in
    H   hidden width                         M   message width

Slots, tokens and values count from 0; rows and columns shown to people count from 1 (r1c1 is the top left cell).
"""
