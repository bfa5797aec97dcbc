"""The part of a script that is the network and its optimiser."""

from core.config.settings import Settings
from core.training.script.template import filled
from core.training.script.weights import names

PHI = {  # and its slope
    "tanh": ("np.tanh($a)", "(1 - h[t + 1] ** 2)"),
    "relu": ("np.maximum($a, 0)", "(h[t + 1] > 0)"),
    "sigmoid": ("0.5 + 0.5 * np.tanh(0.5 * ($a))  # sigmoid", "h[t + 1] * (1 - h[t + 1])"),
}
INPUT = {  # x W_xh, and its derivatives; whether there is an embedding
    False: ("W_xh[x[t]]", "np.add.at(dW_xh, x[t], da)  # x is one-hot: of each token the row of W_xh"),
    True: ("W_emb[x[t]] @ W_xh", "dW_xh += W_emb[x[t]].T @ da\nnp.add.at(dW_emb, x[t], da @ W_xh.T)"),
}
MEMORY = {
    "sgd": "",
    "adagrad": "squares = [np.zeros_like(p) for p in params]",
    "adam": "means, squares = ([np.zeros_like(p) for p in params] for _ in range(2))",
}
OPTIMIZERS = {
    "sgd": """\
for p, g in zip(params, grads):  # SGD
    p -= $step""",
    "adagrad": """\
for p, g, s in zip(params, grads, squares):  # Adagrad
    s += g * g
    p -= $step""",
    "adam": """\
for p, g, m, s in zip(params, grads, means, squares):  # Adam
    m += 0.1 * (g - m)
    s += 0.001 * (g * g - s)
    p -= $step""",
}
DIRECTIONS = {
    "sgd": "g",
    "adagrad": "g / (np.sqrt(s) + 1e-7)",
    "adam": "m / (1 - 0.9**update) / (np.sqrt(s / (1 - 0.999**update)) + 1e-8)",
}


def learning(settings: Settings, rate: str, decayed: bool) -> dict[str, str]:
    """Pieces of forward, backward and the step: ``rate`` is what a script calls its length, and with it weights may decay."""
    phi, slope = PHI[settings.activation]
    x_W_xh, dW_xh = INPUT[settings.embedding_size > 0]
    return {
        "phi": filled(phi, {"a": f"{x_W_xh} + h[t] @ W_hh + b_h"}),
        "slope": slope,
        "grads": ", ".join(f"d{name}" for name in names(settings)),
        "dW_xh": dW_xh,
        "memory": MEMORY[settings.optimizer],
        "optimizer": filled(OPTIMIZERS[settings.optimizer], {"step": _step(DIRECTIONS[settings.optimizer], rate, decayed)}),
    }


def _step(direction: str, rate: str, decayed: bool) -> str:
    """What is taken from a parameter p."""
    return f"{rate} * {direction} + min({rate} * decay, 1) * p" if decayed else f"{rate} * {direction}"
