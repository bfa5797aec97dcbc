"""Networks for the tasks of ``bit_tasks``: some worked out by hand, the others the best found from many starts.

Numbers are in the order of ``Params.flat``: W_xh (a row for each token), W_hh, b_h, W_hq, b_q.
"""

Numbers = tuple[float, ...]

FIRST_WEIGHTS: dict[int, Numbers] = {  # by the number of units: small numbers, from which gradient descent can start
    1: (-0.5, 0.4, 0.3, 0.1, -0.3, 0.4, 0.0, 0.0),
    2: (-0.5, 0.3, 0.4, 0.2, 0.3, 0.4, -0.2, 0.2, 0.1, 0.0, -0.3, 0.4, 0.2, -0.3, 0.0, 0.0),
}
HOLDS: Numbers = (0.0, 4.0, 2.0, 0.0, -5.0, 5.0, 2.5, -2.5)
# By hand: unit 1 holds the bit just read, and unit 2 copies unit 1, one step later. W_hq reads the unit that is asked for.
WORKED_OUT: dict[tuple[str, int], Numbers] = {
    ("echo-0", 1): (-3.0, 3.0, 0.0, 0.0, -4.0, 4.0, 0.0, 0.0),
    ("lag-1", 1): (-3.0, 3.0, 0.0, 0.0, -1.48, 1.48, 0.0, 0.0),
    ("hold", 1): HOLDS,
    ("echo-1", 2): (-3.0, 0.0, 3.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -4.0, 4.0, 0.0, 0.0),
    ("lag-2", 2): (-3.0, 0.0, 3.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.48, 1.48, 0.0, 0.0),
}
# The best found from ``TRIED_STARTS`` random starts each, by gradient descent and with weights up to ``LARGEST_WEIGHT``.
TRIED_STARTS = 500
BEST_FOUND: dict[tuple[str, int], Numbers] = {
    ("echo-1", 1): (9.03, -9.23, -10.0, 0.1, -0.9, 0.82, 0.0, 0.0),
    ("echo-2", 1): (-0.08, 0.05, -0.9, 0.02, -3.84, 4.23, 0.0, 0.0),
    ("echo-3", 1): (0.01, 0.11, -0.99, -0.06, 3.95, -3.51, 0.0, 0.0),
    ("lag-2", 1): (0.07, -0.07, -0.99, 0.0, -3.15, 2.53, 0.0, 0.0),
    ("lag-3", 1): (-1.59, 10.0, -7.16, -4.21, 2.43, 4.08, 0.0, 0.0),
    ("echo-2", 2): (0.49, -4.43, 0.75, 6.6, -5.12, 6.05, -4.58, -0.56, -0.62, -1.09, -1.22, 1.68, 1.25, 0.23, 0.0, 0.0),
    ("echo-3", 2): (-0.17, 1.83, -0.19, -1.51, 0.59, -2.81, -5.92, -0.1, -0.17, -1.43, -4.81, 4.87, 0.15, 0.54, 4.79, -3.87),
    ("lag-3", 2): (-3.71, 0.15, 5.21, -0.24, 0.47, -3.6, 4.96, 4.01, -0.75, 0.04, 0.74, -1.09, 1.38, -0.9, 0.0, 0.0),
}


def in_two_units(numbers: Numbers) -> Numbers:
    """A network of one unit as one of two, of which the second one is zero and is not read."""
    a, b, w, bias, q0, q1, c0, c1 = numbers
    return (a, 0.0, b, 0.0, w, 0.0, 0.0, 0.0, bias, 0.0, q0, q1, 0.0, 0.0, c0, c1)


def solution(task: str, units: int) -> Numbers:
    """The network worked out by hand, or the best found. ``KeyError`` for another task or number of units."""
    numbers = WORKED_OUT | BEST_FOUND
    return numbers[task, units] if (task, units) in numbers else in_two_units(numbers[task, 1])


def is_worked_out(task: str, units: int) -> bool:
    """Whether the solution was worked out by hand."""
    return (task, units) in WORKED_OUT or (units > 1 and (task, units) not in BEST_FOUND)


def one_unit_can(task: str) -> bool:
    """Whether one unit can tell the bit of this task: not if that is an earlier one than the last."""
    return (task, 1) in WORKED_OUT
