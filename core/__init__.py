"""A recurrent language model in NumPy, its training and its analyses. Nothing here draws or teaches: that is in ``pages``.

The pages draw only numbers computed by the code in this folder, which also trains the network. Nothing here needs a browser.

Symbols, the same in every module (screens, settings and URLs use the words):

======  =====================================================  =================
symbol  meaning                                                in settings
======  =====================================================  =================
T       time steps in one window = tokens per row and update   num_steps
tau     truncation length: how far back the gradient may go    truncation
N       sequences (rows) in a mini-batch                       batch_size
H       hidden units                                           hidden_size
D       width of the input vector (V when one-hot)             embedding_size
V       vocabulary size                                        (from the text)
t, k    a time step; an earlier time step
n       a row of the batch; the order of an n-gram
L       (input, target) pairs in a stream of text
======  =====================================================  =================

Losses are in nats per token (natural logarithm); perplexity is the exponential of their mean. ``dX`` is the derivative
of the loss with respect to ``X``. Arrays are time-major: ``(T, N, H)``.

Reading order: ``config`` -> ``text`` -> ``models`` -> ``training``, ``analysis``; then ``pages``. A module imports only from
stages to its left (and its own package), as import-linter checks (``pyproject.toml``).
"""

__version__ = "0.1.0"
