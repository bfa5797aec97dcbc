"""Learning curves by PyTorch, written to ``pytorch_curves.json``: the trainer must reproduce them (``test_tbptt.py``).

The dashboard does not need PyTorch. In a separate environment::

    pip install torch numpy
    python tests/core/training/pytorch_curves.py

Computed in float64, from weights and token ids that are written to the file, too. ``torch.nn.RNN`` reads one-hot tokens, its
second bias (``bias_hh``) is zero and not trained. Truncation: the state is detached between blocks of ``truncation`` steps,
counted from the start of each window. PyTorch has two other definitions than the dashboard: ``clip_grad_norm_`` divides by the
norm + 1e-6, so gradients are clipped here by the formula of Pascanu et al. 2013; ``Adagrad`` has eps = 1e-10, here 1e-7.
SGD, Adam, AdamW (for decoupled weight decay) and CosineAnnealingLR have PyTorch's own definitions and defaults.
"""

import json
from pathlib import Path

import torch
from torch import nn

FILE = Path(__file__).with_suffix(".json")
TEXT = (
    "a network that reads one letter after the other carries a state along and from that state it guesses the next "
    "letter when it is wrong the error goes back through all the steps that led there and each of them changes the "
    "same few numbers a little so that the next guess is a little better than the last one was after some hundred "
    "windows it knows which letters begin a word and which of them are seldom seen together"
)
UPDATES, H, N, T = 200, 8, 3, 10
SGD, ADAGRAD, ADAM = (
    {"optimizer": optimizer, "learning_rate": rate, "clip_norm": 0.5}  # about half of the gradients have a larger norm
    for optimizer, rate in (("sgd", 0.5), ("adagrad", 0.05), ("adam", 0.01))
)
CASES = [  # fields of core.config.settings.Settings
    *[one | {"truncation": 4, "carry_state": carried} for one in (SGD, ADAGRAD, ADAM) for carried in (True, False)],
    SGD | {"truncation": None, "carry_state": True},
    ADAM | {"truncation": 3, "carry_state": True, "weight_decay": 0.5, "cosine_until": 230},
]


def optimizer_of(case: dict, parameters: list[nn.Parameter]) -> torch.optim.Optimizer:
    rate = case["learning_rate"]
    if case["optimizer"] == "sgd":
        return torch.optim.SGD(parameters, lr=rate)
    if case["optimizer"] == "adagrad":
        return torch.optim.Adagrad(parameters, lr=rate, eps=1e-7)
    decay = case.get("weight_decay", 0.0)
    return torch.optim.AdamW(parameters, lr=rate, weight_decay=decay) if decay else torch.optim.Adam(parameters, lr=rate)


def network(weights: dict[str, torch.Tensor]) -> tuple[nn.RNN, nn.Linear, list[nn.Parameter]]:
    """The network with copies of these weights, and its trained parameters."""
    V = len(weights["W_xh"])
    rnn, out = nn.RNN(V, H), nn.Linear(H, V)
    with torch.no_grad():
        rnn.weight_ih_l0.copy_(weights["W_xh"].T)
        rnn.weight_hh_l0.copy_(weights["W_hh"].T)
        rnn.bias_ih_l0.copy_(weights["b_h"])
        rnn.bias_hh_l0.zero_()
        out.weight.copy_(weights["W_hq"].T)
        out.bias.copy_(weights["b_q"])
    rnn.bias_hh_l0.requires_grad_(False)
    return rnn, out, [rnn.weight_ih_l0, rnn.weight_hh_l0, rnn.bias_ih_l0, *out.parameters()]


def curve(case: dict, weights: dict[str, torch.Tensor], tokens: torch.Tensor) -> list[tuple[float, float]]:
    """For every update the loss in nats per token, and the norm of the gradient before clipping."""
    rnn, out, parameters = network(weights)
    optimizer = optimizer_of(case, parameters)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, case["cosine_until"]) if "cosine_until" in case else None
    pairs, found, h = len(tokens) - 1, [], torch.zeros(1, N, H)
    for update in range(UPDATES):
        places = torch.arange(T)[:, None] + torch.arange(N) * (pairs // N) + update * T
        x, y = (tokens[(places + ahead) % pairs + shift] for ahead, shift in ((0, 0), (0, 1)))
        h = h.detach() if case["carry_state"] else torch.zeros(1, N, H)
        states = []
        for block in nn.functional.one_hot(x, len(weights["W_xh"])).double().split(case["truncation"] or T):
            read, h = rnn(block, h.detach())
            states.append(read)
        loss = nn.functional.cross_entropy(out(torch.cat(states)).flatten(0, 1), y.flatten())
        optimizer.zero_grad()
        loss.backward()
        norm = torch.sqrt(sum((parameter.grad**2).sum() for parameter in parameters))
        if norm > case["clip_norm"]:
            for parameter in parameters:
                parameter.grad *= case["clip_norm"] / norm
        optimizer.step()
        if schedule:
            schedule.step()
        found.append((loss.item(), norm.item()))
    return found


def main() -> None:
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)
    symbols = sorted(set(TEXT))
    V, tokens = len(symbols), [symbols.index(symbol) for symbol in TEXT]
    shapes = {"W_xh": (V, H), "W_hh": (H, H), "b_h": (H,), "W_hq": (H, V), "b_q": (V,)}
    weights = {name: 0.4 * torch.randn(shape) for name, shape in shapes.items()}
    curves = [{"settings": case, "curve": curve(case, weights, torch.tensor(tokens))} for case in CASES]
    written = {"torch": torch.__version__, "batch_size": N, "num_steps": T, "tokens": tokens}
    written |= {"weights": {name: weight.tolist() for name, weight in weights.items()}, "curves": curves}
    FILE.write_text(json.dumps(written) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
