"""Matrix products cut to the sizes a BLAS does fastest. The results are ordinary products; only the speed differs.

With AVX-512, OpenBLAS multiplies small matrices (up to a million multiplications) without first copying them into packed form,
15 to 40 % faster; elsewhere cutting costs up to 10 % of these products. A transposed right factor halves the speed of small
ones, so a transposed copy is made once and used T times. All measured.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from jaxtyping import Float

SMALL = 1_000_000  # multiplications
STRIP = 16  # float32 numbers in a cache line: a transposing copy this wide is five times faster than a plain one
PLAIN = 2048  # numbers, below which a plain transposing copy is as fast
MANY = 256  # rows that repay a transposed copy of the other factor
THIN = 16  # rows, below which a product is not worth cutting


class StepProduct:
    """x @ W for one W (H, H) and many x (N, H): the product inside the loop over time.

    Large W is cut into blocks of columns, each a small product; the result then lies in blocks, and ``result`` is its view
    of shape (N, blocks, width). ``split`` views other (N, H) arrays in the same shape, so that they can be added.
    """

    def __init__(self, N: int, H: int, dtype: np.dtype) -> None:
        width = _block_width(N, H)
        self.blocks = H // width
        self._shape = (N, self.blocks, width)
        self._copy = np.empty((self.blocks, H, width), dtype)
        self.out = np.empty((N, H) if self.blocks == 1 else (self.blocks, N, width), dtype)
        self.result = self.out if self.blocks == 1 else self.out.transpose(1, 0, 2)
        self.W = self._copy

    def multiplier(self, x: Float[np.ndarray, "N H"]) -> Callable[[np.ndarray, np.ndarray], object]:
        """What, called with ``W`` and ``out``, multiplies x by W: ready to be called again and again as x changes in place."""
        return x.dot if self.blocks == 1 else partial(np.matmul, x)

    def load(self, W: Float[np.ndarray, "H H"]) -> None:
        """Multiply by W from now on: by W itself where it is not cut (then later changes of W count), else by a copy."""
        if self.blocks == 1:
            self.W = W
            return
        width = self._shape[2]
        np.copyto(self._copy, W.reshape(len(W), self.blocks, width).transpose(1, 0, 2))
        self.W = self._copy

    def load_transposed(self, W: Float[np.ndarray, "H H"]) -> None:
        """Multiply by a copy of W.T from now on."""
        if self.blocks == 1:
            self.W = self._copy[0]
            copy_transposed(W, self.W)
            return
        width = self._shape[2]
        for block, rows in zip(self._copy, range(0, len(W), width), strict=True):
            copy_transposed(W[rows : rows + width], block)
        self.W = self._copy

    def split(self, x: Float[np.ndarray, "N H"]) -> np.ndarray:
        """A view of x in the shape of ``result``."""
        return x if self.blocks == 1 else x.reshape(self._shape)


def _block_width(N: int, H: int) -> int:
    """Columns of W per product: H, or its largest divisor that is a multiple of 8 and keeps each product small."""
    if N * H * H <= SMALL:
        return H
    fitting = [width for width in range(8, H, 8) if H % width == 0 and N * H * width <= SMALL]
    return max(fitting, default=H)


class Product:
    """x @ W into ``out``, for arrays x (M, K) and out (M, W) that stay where they are while their numbers change.

    M rows are cut into groups where that makes small products.
    """

    def __init__(self, x: Float[np.ndarray, "M K"], out: Float[np.ndarray, "M W"]) -> None:
        M, K = x.shape
        groups = _row_groups(M, K * out.shape[1])
        self._multiply = x.dot if groups == 1 else partial(np.matmul, x.reshape(groups, -1, K))
        self._out = out if groups == 1 else out.reshape(groups, M // groups, -1)

    def by(self, W: Float[np.ndarray, "K W"]) -> None:
        self._multiply(W, self._out)


def _row_groups(M: int, per_row: int) -> int:
    """Into how many groups to cut M rows of ``per_row`` multiplications each; 1 where cutting does not pay."""
    if M * per_row <= SMALL:
        return 1
    fewest = -(-M * per_row // SMALL)
    for groups in range(fewest, M // THIN + 1):
        if M % groups == 0:
            return groups
    return 1


class TransposedCopy:
    """``W_T`` (B, A) is W.T as it was when loaded: laid out as M rows to be multiplied by it like best."""

    def __init__(self, M: int, shape: tuple[int, int], dtype: np.dtype) -> None:
        self._transposes = M >= MANY
        self._copy = np.empty(shape[::-1] if self._transposes else shape, dtype)
        self.W_T = self._copy if self._transposes else self._copy.T

    def load(self, W: Float[np.ndarray, "A B"]) -> None:
        if self._transposes:
            copy_transposed(W, self._copy)
        else:
            np.copyto(self._copy, W)


def copy_transposed(W: Float[np.ndarray, "A B"], out: Float[np.ndarray, "B A"]) -> None:
    """``out`` = W.T, contiguous."""
    if W.size < PLAIN:
        out[...] = W.T
        return
    for start in range(0, len(W), STRIP):
        np.copyto(out[:, start : start + STRIP], W[start : start + STRIP].T)
