"""Matrix products cut to the sizes a BLAS does fastest. The results are ordinary products; only the speed differs.

With AVX-512, OpenBLAS multiplies small matrices (up to a million multiplications) without first copying them into packed form,
10 to 40 % faster; elsewhere cutting costs up to 40 %, and nothing is cut. A transposed right factor halves the speed of small
products, so a transposed copy is made once and used T times. All measured.
"""

import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from jaxtyping import Float
from threadpoolctl import threadpool_info

WITH_SMALL_PRODUCTS = {"SkylakeX", "Cooperlake", "SapphireRapids"}  # OpenBLAS's names for kinds of processors


def _small() -> int:
    """Multiplications up to which this machine's BLAS does without packing: what products are cut to; 0: do not cut."""
    kinds = {library.get("architecture") for library in threadpool_info() if library["user_api"] == "blas"}
    return 1_000_000 if kinds & WITH_SMALL_PRODUCTS else 0


SMALL = _small()
CACHE, WAY = 32768, 4096  # bytes of the first cache, and of one of its ways: addresses this far apart share a place
WIDEST = 128  # rows copied at a time while transposing
MANY = 256  # rows that repay a transposed copy of the other factor
THIN = 16  # rows, below which a product is not worth cutting
TILE = 16, 32  # rows and columns of the result of a sum of outer products
LONG, WIDE = 128, 512  # rows from which such a sum is worth cutting, and columns up to which


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
    if not SMALL or N * H * H <= SMALL:
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
    if not SMALL or M * per_row <= SMALL:
        return 1
    fewest = -(-M * per_row // SMALL)
    for groups in range(fewest, M // THIN + 1):
        if M % groups == 0:
            return groups
    return 1


def sum_of_outer_products(x: Float[np.ndarray, "M A"], y: Float[np.ndarray, "M B"], out: Float[np.ndarray, "A B"]) -> None:
    """``out`` = x.T @ y: the outer products of the rows of x and y, summed. How every gradient of a weight matrix is made.

    Large sums are cut into tiles of ``out``, each a small product over all rows.
    """
    M, B = y.shape
    height, width = TILE
    if x.size * B <= SMALL or M < LONG or B > WIDE or M * height * width > SMALL:
        x.T.dot(y, out)
        return
    for rows, high in _cuts(x.shape[1], height):
        left = x[:, rows].reshape(M, -1, 1, high).transpose(1, 2, 3, 0)
        for columns, wide in _cuts(B, width):
            right = y[:, columns].reshape(M, -1, wide).transpose(1, 0, 2)
            tiles = out[rows, columns].reshape(-1, high, right.shape[0], wide).transpose(0, 2, 1, 3)
            np.matmul(left, right, tiles)


def _cuts(length: int, size: int) -> Iterator[tuple[slice, int]]:
    """A stretch that is a multiple of ``size``, and the rest, each with the size of its pieces; those there are."""
    whole = length - length % size
    if whole:
        yield slice(0, whole), size
    if length > whole:
        yield slice(whole, length), length - whole


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
    """``out`` = W.T, contiguous.

    As many rows at a time as the first cache can hold while a column is read: rows a power of two apart compete for few
    places there. At H = 512 that is four times as fast as all at once.
    """
    if W.nbytes <= CACHE:
        out[...] = W.T
        return
    strip = min(WIDEST, CACHE // math.gcd(W.strides[0], WAY))
    for start in range(0, len(W), strip):
        np.copyto(out[:, start : start + strip], W[start : start + strip].T)
