"""A recurrent network learns to predict the next token of a text, with NumPy alone.

It prints the perplexity of every window it trains on, before each update, and at the end that of the text it is judged on.
In float64 the numbers are the dashboard's; in float32 they begin equal, and rounding adds up.
"""

from collections import Counter
from pathlib import Path

import numpy as np

CORPUS = "lag"  # "text" is read from text.txt beside this file; "lag" and "echo" are drawn
UNIT = "char"  # one token: "char" or "word"
LAG = 4  # of "lag" and "echo": so many bits back
LENGTH = 5000  # of "lag" and "echo": so many bits
HELD_OUT = 0.1  # the share of the text at its end that is not trained on
ROWS, WIDTH = 8, 60  # the text that judges: so many rows of so many tokens
V, D, H = 2, 0, 16  # tokens in the vocabulary, width of the embedding (0: one-hot), hidden units
N, T = 8, 10  # sequences side by side, time steps
PHI = "tanh"  # "tanh", "relu" or "sigmoid"
INIT = "orthogonal"  # W_hh: "orthogonal", "identity", or random; "uniform001" draws evenly, all others from a normal curve
GAIN = 1.0  # W_hh times this at the start
STD_EMB, STD_XH, STD_HH, STD_HQ = 0.01, 1.0, 0.25, 0.01  # standard deviations of the weights at the start
OPTIMIZER = "adam"  # "sgd", "adagrad" or "adam"
DTYPE = "float64"  # of all numbers in training
SEED_WEIGHTS, SEED_DATA = [0, 0], [0, 1]  # the seed, and the stream of random numbers
UPDATES = 100
KNOBS = dict(
    learning_rate=0.01,
    clip_norm=1.0,
    truncation=10,
    cosine_until=0,
    weight_decay=0.0,
    carry_state=True,
    momentum=0.0,
)
MOVES = {}  # of knobs in the run: after so many updates, these new values

# The text: inputs[i] is read, and targets[i] is to be predicted then
rng = np.random.default_rng(np.random.SeedSequence(SEED_DATA))
if CORPUS == "text":
    text = Path(__file__).with_name("text.txt").read_text(encoding="utf-8")
    tokens = list(text) if UNIT == "char" else text.replace("\n", " <eos> ").split()
    vocabulary = [token for token, _ in Counter(tokens).most_common()]  # most frequent first
    if len(vocabulary) > V:  # all rare tokens share the last id
        vocabulary = [token for token in vocabulary if token != "<unk>"][: V - 1]
    id_of = {token: i for i, token in enumerate(vocabulary)}
    ids = np.array([id_of.get(token, V - 1) for token in tokens])
    inputs, targets = ids[:-1], ids[1:]
elif CORPUS == "lag":
    ids = (rng.random(LENGTH) < 0.05).astype(int)  # 1: this bit differs from the one LAG back
    ids[:LAG] = rng.random(min(LAG, LENGTH)) < 0.5
    for i in range(LAG, LENGTH):
        ids[i] ^= ids[i - LAG]
    inputs, targets = ids[:-1], ids[1:]
else:
    ids = rng.integers(0, 2, LENGTH + LAG, dtype=np.int32)
    inputs, targets = ids[LAG:], ids[:LENGTH]
L = len(inputs) - int(HELD_OUT * (len(inputs) + 1))  # pairs to train on

# The weights
rng = np.random.default_rng(np.random.SeedSequence(SEED_WEIGHTS))


def drawn(*shape: int) -> np.ndarray:
    """Random numbers of standard deviation 1."""
    return rng.uniform(-np.sqrt(3), np.sqrt(3), shape) if INIT == "uniform001" else rng.standard_normal(shape)


W_emb = drawn(V, D) * STD_EMB if D else np.zeros((0, 0))
W_xh = drawn(D or V, H) * STD_XH
if INIT == "identity":
    W_hh = GAIN * np.eye(H)
elif INIT == "orthogonal":
    Q, R = np.linalg.qr(drawn(H, H))
    W_hh = GAIN * Q * np.where(np.diagonal(R) < 0, -1, 1)
else:
    W_hh = GAIN * drawn(H, H) * STD_HH
W_hq = drawn(H, V) * STD_HQ
params = [W.astype(DTYPE) for W in (W_emb, W_xh, W_hh, np.zeros(H), W_hq, np.zeros(V))]
W_emb, W_xh, W_hh, b_h, W_hq, b_q = params
means, squares = ([np.zeros_like(p) for p in params] for _ in range(2))  # of the optimiser


def forward(x: np.ndarray, h: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """States (T + 1, N, H) and log probabilities (T, N, V) for tokens x (T, N): h_t = phi(x_t W_xh + h_(t-1) W_hh + b_h)."""
    states = [h]
    for x_t in x:
        a = (W_emb[x_t] @ W_xh if D else W_xh[x_t]) + states[-1] @ W_hh + b_h
        if PHI == "tanh":
            states.append(np.tanh(a))
        elif PHI == "relu":
            states.append(np.maximum(a, 0))
        else:
            states.append(0.5 + 0.5 * np.tanh(0.5 * a))
    logits = np.array(states[1:]) @ W_hq + b_q
    logits -= logits.max(axis=-1, keepdims=True)
    return np.array(states), logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))  # log softmax


def losses(log_p: np.ndarray, y: np.ndarray) -> np.ndarray:
    """-ln p of every target, (T, N)."""
    return -np.take_along_axis(log_p, y[..., None], axis=-1)[..., 0]


def gradients(x: np.ndarray, y: np.ndarray, h: np.ndarray, log_p: np.ndarray, tau: int) -> list[np.ndarray]:
    """Backward through time, cut every tau steps: da is dL/da_t, with h_t = phi(a_t)."""
    dW_emb, dW_xh, dW_hh, db_h, dW_hq, db_q = grads = [np.zeros_like(p) for p in params]
    dlogits = np.exp(log_p)
    dlogits[np.arange(T)[:, None], np.arange(N), y] -= 1
    dlogits /= T * N  # the loss is the mean over T * N tokens
    from_future = np.zeros_like(h[0])
    for t in reversed(range(T)):
        dW_hq += h[t + 1].T @ dlogits[t]
        db_q += dlogits[t].sum(axis=0)
        slope = 1 - h[t + 1] ** 2 if PHI == "tanh" else h[t + 1] > 0 if PHI == "relu" else h[t + 1] * (1 - h[t + 1])
        da = (dlogits[t] @ W_hq.T + from_future) * slope
        dW_hh += h[t].T @ da
        db_h += da.sum(axis=0)
        if D:
            dW_xh += W_emb[x[t]].T @ da
            np.add.at(dW_emb, x[t], da @ W_xh.T)
        else:
            np.add.at(dW_xh, x[t], da)  # x is one-hot: of each token the row of W_xh
        from_future = da @ W_hh.T if t % tau else np.zeros_like(da)
    return grads


def move_knobs(update: int) -> None:
    """Move the knobs that were moved after this update, and scale W_hh if its spectral radius was."""
    knobs.update(MOVES.get(update, {}))
    if "spectral_radius" in MOVES.get(update, {}):
        W_hh[...] *= knobs["spectral_radius"] / abs(np.linalg.eigvals(W_hh.astype(float))).max()


# Training
knobs = dict(KNOBS)
h = np.zeros((N, H), DTYPE)
for update in range(1, UPDATES + 1):
    move_knobs(update - 1)
    rate, until = knobs["learning_rate"], knobs["cosine_until"]
    if until:  # falls like a cosine, to 0
        rate *= (1 + np.cos(np.pi * min((update - 1) / until, 1))) / 2
    places = (np.arange(T)[:, None] + np.arange(N) * (L // N) + (update - 1) * T) % L  # (T, N): where each row reads on
    x, y = inputs[places], targets[places]
    states, log_p = forward(x, h if knobs["carry_state"] else np.zeros_like(h))
    print(f"{update:6}  {np.exp(losses(log_p, y).mean(dtype=float)):.10g}")
    grads = gradients(x, y, states, log_p, knobs["truncation"])
    h = states[-1]
    norm = np.sqrt(sum((g * g).sum() for g in grads))  # of the whole gradient
    shorter = min(1, knobs["clip_norm"] / norm) if knobs["clip_norm"] and norm else 1
    for p, g, m, s in zip(params, grads, means, squares, strict=True):
        g *= float(shorter)
        p *= 1 - min(rate * knobs["weight_decay"], 1)
        if OPTIMIZER == "sgd":
            m[...] = knobs["momentum"] * m + g
            p -= float(rate) * m
        elif OPTIMIZER == "adagrad":
            s += g * g
            p -= float(rate) * g / (np.sqrt(s) + 1e-7)
        else:
            m += 0.1 * (g - m)
            s += 0.001 * (g * g - s)
            p -= float(rate) * m / (1 - 0.9**update) / (np.sqrt(s / (1 - 0.999**update)) + 1e-8)

# Judging: the held-out text, or the training text where nothing is held out
held = slice(L, None) if len(inputs) > L else slice(None)
inputs, targets = inputs[held], targets[held]
move_knobs(UPDATES)
total, h = 0.0, np.zeros((ROWS, H), DTYPE)
for begin in range(0, WIDTH, T):
    places = np.arange(begin, min(begin + T, WIDTH))[:, None] + np.arange(ROWS) * (len(inputs) // ROWS)
    states, log_p = forward(inputs[places], h if knobs["carry_state"] else np.zeros_like(h))
    total, h = total + losses(log_p, targets[places]).sum(dtype=float), states[-1]
print(f"judged  {np.exp(total / (ROWS * WIDTH)):.10g}")
