"""The names of the parameters in either source: the setting ``notation`` selects the source. And the glossary: the symbols and
terms on the screen, with their names in textbooks of other languages.

Code, figures and sentences use the names of the first source; :func:`in_notation` replaces them with those of the second. It is
for the dashboard's own texts only: a token "W_hh" of a reader's text does not change.
"""

import re
from typing import NamedTuple, TypeVar

from core.config.language import gettext as _, lazy_gettext

FIRST_SOURCE, SECOND_SOURCE = "first", "second"
SOURCE_TITLES = {FIRST_SOURCE: "Dive into Deep Learning", SECOND_SOURCE: "Deep Learning from Scratch 2"}
Ours = TypeVar("Ours", str, list, tuple, dict)


class Name(NamedTuple):
    """The name in the second source, in code and in a formula; and the layer, if it is a parameter."""

    code: str
    formula: str
    layer: str = ""


WEIGHT_NAMES = {  # by the name in the first source
    "W_xh": Name("Wx", "W_{x}", "RNN"),
    "W_hh": Name("Wh", "W_{h}", "RNN"),
    "b_h": Name("b", "b", "RNN"),
    "W_hq": Name("W", "W", lazy_gettext("affine")),
    "b_q": Name("b", "b", lazy_gettext("affine")),
    "W_emb": Name("embed_W", "W_{embed}", "embedding"),
    "num_steps": Name("time_size", "time_size"),
}


def _spelled(name: str) -> str:
    letter, _, low = name.partition("_")
    return rf"{letter}_(?:\{{{low}\}}|{low}(?![A-Za-z]))"


_FOUND = re.compile(rf"(?<![A-Za-ce-z_])(d?)({'|'.join(map(_spelled, WEIGHT_NAMES))})")  # also dW_hh, the gradient of W_hh


def in_notation(ours: Ours, notation: str) -> Ours:
    """The dashboard's own text, or a structure of such texts, with the names of ``notation``."""
    if notation == FIRST_SOURCE:
        return ours
    if isinstance(ours, str):
        return _FOUND.sub(_other, ours) if "_" in ours else ours
    if isinstance(ours, dict):
        return {key: in_notation(value, notation) for key, value in ours.items()}
    return [in_notation(value, notation) for value in ours] if isinstance(ours, list | tuple) else ours


def _other(found: re.Match[str]) -> str:
    gradient, name = found.groups()
    other = WEIGHT_NAMES[name.replace("{", "").replace("}", "")]
    return gradient + (other.formula if "{" in name else other.code)


def in_formula(name: str) -> str:
    """A parameter's name as in a formula: "W_{hh}"."""
    return re.sub("_(.*)", r"_{\1}", name)


def in_full(name: str, notation: str) -> str:
    """A parameter's name with its layer: in the second source, the biases of two layers are called b."""
    return _("{name}, {layer}", name=in_notation(name, notation), layer=_(WEIGHT_NAMES[name].layer))


LANGUAGES = {"zh-Hans": "中文", "ja": "日本語", "fr": "français", "de": "Deutsch"}  # code: its own name


class Word(NamedTuple):
    """An entry of the glossary. ``symbol``: as in a formula, "W_xh", or empty; ``means``: the meaning in one sentence; ``also``:
    other names of the same in either source ([1], [2]), in Chinese notes of them, or in PyTorch; the other fields: the term in
    English and in each of ``LANGUAGES``."""

    symbol: str
    english: str
    means: str
    chinese: str
    japanese: str
    french: str
    german: str
    also: str = ""

    @property
    def translated(self) -> dict[str, str]:
        """The term by the code of its language."""
        return dict(zip(LANGUAGES, (self.chinese, self.japanese, self.french, self.german), strict=True))


# fmt: off
GLOSSARY = (
    Word("x_t", "input", "What the network reads at step t: the vector of one token.",
         "输入", "入力", "entrée", "Eingabe"),
    Word("h_t", "hidden state", "What the network remembers after step t: H numbers, handed on to the next step.",
         "隐状态", "隠れ状態", "état caché", "verborgener Zustand",
         also="隐藏状态 [2], hs [2], latent variable, 隐变量 [1], hidden, h_n (PyTorch)"),
    Word("o_t", "logit", "The score of a token before softmax; it can be any number.",
         "logit", "ロジット", "logit", "Logit", also="未规范化的预测 [1], score [2]"),
    Word("a_t", "pre-activation", "The weighted sum of input, state before and bias; φ makes the new state of it.",
         "预激活值", "活性化前の値", "préactivation", "Präaktivierung"),
    Word("p_t", "predicted probability", "What softmax makes of the logits: for every token how probable it is as the next one.",
         "预测概率", "予測確率", "probabilité prédite", "vorhergesagte Wahrscheinlichkeit"),
    Word("φ", "activation function", "Turns the weighted sum of a unit into its state: tanh, relu or sigmoid.",
         "激活函数", "活性化関数", "fonction d’activation", "Aktivierungsfunktion"),
    Word("W_xh", "input weights", "Multiply the input; the product is added to what comes from the state before.",
         "输入权重", "入力から隠れ状態への重み", "poids d’entrée", "Eingabegewichte",
         also="weight_ih_l0 (PyTorch), 输入到隐藏层的权重"),
    Word("W_hh", "recurrent weights", "Multiply the state of the step before; the same at every step.",
         "循环权重", "隠れ状態から隠れ状態への重み", "poids récurrents", "rekurrente Gewichte",
         also="weight_hh_l0 (PyTorch), 隐藏层到隐藏层的权重"),
    Word("W_hq", "output weights", "Multiply the state; with b_q they give the logits.",
         "输出权重", "隠れ状態から出力への重み", "poids de sortie", "Ausgabegewichte", also="隐藏层到输出层的权重"),
    Word("b_h", "bias of the state", "Added to the weighted sum of every hidden unit.",
         "状态的偏置", "隠れ状態のバイアス", "biais de l’état", "Bias des Zustands", also="隐藏层的偏置"),
    Word("b_q", "bias of the logits", "Added to every logit.",
         "logit 的偏置", "出力のバイアス", "biais de la sortie", "Bias der Ausgabe", also="输出层的偏置"),
    Word("W_emb", "embedding weights", "One row for each token: the vector that stands for it.",
         "嵌入权重", "埋め込み行列", "matrice de plongement", "Einbettungsmatrix", also="嵌入矩阵, nn.Embedding (PyTorch)"),
    Word("T", "time steps", "num_steps: tokens of each sequence in the window; so many steps backpropagation can go back.",
         "时间步数", "時間ステップ数", "nombre de pas de temps", "Anzahl der Zeitschritte",
         also="num_steps [1], time_size [2], 序列长度"),
    Word("τ", "truncation length", "How many steps the gradient may go back before it is cut.",
         "截断长度", "打ち切りの長さ", "longueur de troncature", "Trunkierungslänge"),
    Word("N", "batch size", "How many sequences are read side by side in one update.",
         "批量大小", "バッチサイズ", "taille du lot", "Batchgröße", also="批大小 [2], batch_size"),
    Word("H", "hidden units", "How many numbers the hidden state has.",
         "隐藏单元数", "隠れユニット数", "nombre d’unités cachées", "Anzahl verborgener Einheiten",
         also="num_hiddens [1], hidden_size [2]"),
    Word("D", "input width", "How many numbers the input vector has; V where the input is one-hot.",
         "输入维度", "入力の次元数", "dimension de l’entrée", "Eingabedimension", also="wordvec_size [2], embed_size [1]"),
    Word("V", "vocabulary size", "How many different tokens the network knows.",
         "词表大小", "語彙数", "taille du vocabulaire", "Vokabulargröße", also="vocab_size [2], 词汇量 [2]"),
    Word("", "token", "One piece of the text: a character or a word.",
         "词元", "トークン", "token", "Token", also="单词 [2]"),
    Word("", "one-hot", "A vector of V numbers: 1 for the token, 0 for all others.",
         "独热编码", "one-hot ベクトル", "encodage one-hot", "One-Hot-Kodierung", also="one-hot 向量 [2]"),
    Word("", "embedding", "A learnt vector of D numbers for each token, in place of a one-hot vector.",
         "嵌入", "埋め込み", "plongement", "Einbettung", also="单词的分布式表示 [2]"),
    Word("", "softmax", "Turns logits into probabilities: positive numbers with the sum 1.",
         "softmax", "ソフトマックス関数", "softmax", "Softmax", also="Softmax 层 [2]"),
    Word("", "loss", "−ln p of the token that came: small where the network gave it much probability.",
         "损失", "損失", "perte", "Verlust", also="cross-entropy, 交叉熵 [1], 交叉熵误差 [2]"),
    Word("", "nats", "The unit of a loss with the natural logarithm.",
         "纳特", "ナット", "nat", "Nat"),
    Word("", "bits", "The unit of a loss with the logarithm to base 2: nats divided by ln 2. Also tokens that are 0 or 1.",
         "比特", "ビット", "bit", "Bit"),
    Word("", "perplexity", "Exp of the mean loss in nats: as uncertain as among so many equally likely tokens.",
         "困惑度", "パープレキシティ", "perplexité", "Perplexität", also="branching factor, 分叉度 [2]"),
    Word("", "held-out text", "A part of the text that is never trained on: it judges the network.",
         "验证文本", "検証用データ", "données de validation", "Validierungsdaten", also="validation data, 验证数据"),
    Word("", "gradient", "How the loss changes with every weight: an update goes the other way.",
         "梯度", "勾配", "gradient", "Gradient"),
    Word("", "truncation", "Backpropagation stops at a border of blocks of τ steps; the state is still handed on.",
         "截断", "打ち切り (Truncated BPTT)", "troncature", "Trunkierung", also="Truncated BPTT [2], detach (PyTorch)"),
    Word("", "clipping", "A gradient that is longer than a limit is shortened to it; its direction stays.",
         "裁剪", "勾配クリッピング", "écrêtage du gradient", "Gradienten-Clipping",
         also="梯度裁剪 [1] [2], 梯度截断 [1], clip_grad_norm_ (PyTorch)"),
    Word("λ", "weight decay", "Every update shrinks all weights by the learning rate times λ; small weights overfit less.",
         "权重衰减", "重み減衰", "dégradation des pondérations", "Gewichtsabnahme", also="权值衰减 [2]"),
    Word("", "overfitting", "The network memorises the training text: perplexity falls there, and not on held-out text.",
         "过拟合", "過学習", "surapprentissage", "Überanpassung"),
    Word("", "spectral radius", "The largest absolute value of the eigenvalues of a matrix, here of W_hh.",
         "谱半径", "スペクトル半径", "rayon spectral", "Spektralradius"),
    Word("", "update", "One change of all weights, made of one window.",
         "更新", "パラメータの更新", "mise à jour", "Aktualisierung", also="iteration [2], 参数更新"),
    Word("", "epoch", "As many updates as it takes to read the training text once.",
         "迭代周期", "エポック", "époque", "Epoche"),
    Word("", "temperature", "Divides the logits when text is written: low makes it sure, high makes it random.",
         "温度", "温度", "température", "Temperatur"),
    Word("", "hidden layer", "The units between input and output: a place. Its numbers at step t are the hidden state.",
         "隐藏层", "隠れ層", "couche cachée", "verborgene Schicht", also="RNN 层 [2]"),
    Word("", "feed-forward", "Without a way back: what is computed at a step is not an input of the next one.",
         "前馈", "フィードフォワード", "à propagation avant", "vorwärtsgerichtet", also="no hidden state [1]"),
    Word("", "multilayer perceptron", "A feed-forward network with a hidden layer: the recurrent step without W_hh.",
         "多层感知机", "多層パーセプトロン", "perceptron multicouche", "mehrlagiges Perzeptron",
         also="MLP [1], 全连接神经网络"),
    Word("", "time step", "One token read: the network computes a state and a prediction.",
         "时间步", "時刻", "pas de temps", "Zeitschritt", also="时刻 [2]"),
    Word("", "window", "T tokens of every row, read in one update.",
         "窗口", "ウィンドウ", "fenêtre", "Fenster", also="subsequence, 子序列 [1], xs (N, T) [2]"),
    Word("", "backpropagation through time", "Backpropagation in the unrolled network: a gradient goes back step by step.",
         "沿时间反向传播", "Backpropagation Through Time", "rétropropagation à travers le temps",
         "Rückpropagierung durch die Zeit", also="BPTT, 通过时间反向传播 [1], 基于时间的反向传播 [2]"),
    Word("", "stateful", "Of a recurrent layer: it keeps its state from one window to the next, and starts there.",
         "有状态", "ステートフル", "avec état", "zustandsbehaftet", also="stateful=True [2], 保持状态"),
    Word("", "detach", "Cut an array off from what it was computed from: its numbers stay, no gradient goes back.",
         "分离", "勾配の切り離し", "détacher", "abtrennen", also="detach, detach_ (PyTorch, [1]), 从计算图中分离"),
    Word("", "batch_first", "In PyTorch: arrays are (N, T, …), as in Deep Learning from Scratch 2, not (T, N, …), as here.",
         "批量在前", "バッチ優先", "lot en premier", "Batch zuerst", also="xs (N, T, D) [2], X.T [1]"),
    Word("", "surprise", "−ln p of the token that came: the loss of one token.",
         "惊异程度", "驚き", "surprise", "Überraschung", also="惊异 [1], surprisal"),
    Word("", "joint probability", "The probability of a whole text: of all its tokens together.",
         "联合概率", "同時確率", "probabilité jointe", "gemeinsame Wahrscheinlichkeit", also="同时概率 [2]"),
    Word("", "conditional probability", "The probability of a token given those before it: what the network predicts.",
         "条件概率", "条件付き確率", "probabilité conditionnelle", "bedingte Wahrscheinlichkeit",
         also="posterior probability [2]"),
    Word("", "posterior probability", "A probability after something was seen: here, of the next token after those before it.",
         "后验概率", "事後確率", "probabilité a posteriori", "A-posteriori-Wahrscheinlichkeit", also="条件概率"),
    Word("", "order of a Markov model", "How many tokens before the next one the model looks at: a bigram model has order 1.",
         "马尔可夫模型的阶数", "マルコフ連鎖の階数", "ordre du modèle de Markov", "Ordnung des Markow-Modells",
         also="N 阶马尔可夫链 [2], τ 阶马尔可夫模型 [1]"),
    Word("", "lag", "How many steps back the answer lies.",
         "滞后", "ラグ", "décalage", "Verzögerung", also="延迟"),
    Word("", "echo", "A task: say again the token of k steps back.",
         "回声", "エコー", "écho", "Echo", also="复述任务, copy task"),
    Word("", "saturation", "A unit far from 0, where φ is flat: its slope φ' is near 0, and nearly no gradient passes.",
         "饱和", "飽和", "saturation", "Sättigung", also="梯度消失的原因之一"),
    Word("", "reservoir", "A recurrent part that is never trained; a trained layer reads what it happens to keep of inputs.",
         "储备池", "リザーバー", "réservoir", "Reservoir", also="echo state network, 回声状态网络"),
    Word("␣", "blank", "A blank in a box of its own; in a running text it is a dot.",
         "空格", "空白", "espace", "Leerzeichen"),
    Word("↵", "line end", "Here a line of the text ends.",
         "换行", "改行", "saut de ligne", "Zeilenumbruch", also="换行符"),
    Word("<unk>", "unknown token", "Stands for every token that is not in the vocabulary.",
         "未知词元", "未知語", "token inconnu", "unbekanntes Token"),
)
# fmt: on

SENTENCE_TERMS = {  # terms with a tooltip in sentences, by their spelling there; common words (input, update, blank) are left out
    **{word: word for word in ("logit", "pre-activation", "hidden state", "hidden units", "one-hot", "embedding", "softmax")},
    **{word: word for word in ("nats", "bits", "perplexity", "spectral radius", "truncation length", "epoch")},
    **{word: word for word in ("hidden layer", "backpropagation through time", "reservoir", "feed-forward", "stateful")},
    lazy_gettext("logits"): "logit",
    lazy_gettext("epochs"): "epoch",
    lazy_gettext("held-out"): "held-out text",
    lazy_gettext("held out"): "held-out text",
}
SENTENCE_SYMBOLS = ("φ", "τ", "T", "N", "H", "D", "V", "<unk>", "␣", "↵")  # symbols that cannot be another word in a sentence
LETTERS = {"xX": "x_t", "hH": "h_t", "oO": "o_t", "aA": "a_t", "p": "p_t"}  # in a formula at any step; capitals: all rows
BY_SYMBOL = {word.symbol: word.english for word in GLOSSARY if word.symbol}


def in_sentences(notation: str) -> dict[str, str]:
    """The English term of the glossary for each word and symbol with a tooltip in sentences, in ``notation``."""
    weights = {in_notation(symbol, notation): word for symbol, word in BY_SYMBOL.items() if symbol in WEIGHT_NAMES}
    several = {name: word for name, word in weights.items() if len(name) > 1}  # W and b alone can be any letters
    return SENTENCE_TERMS | {symbol: BY_SYMBOL[symbol] for symbol in SENTENCE_SYMBOLS} | several


def in_formulas(notation: str) -> tuple[dict[str, str], dict[str, str]]:
    """The English term of the glossary for each symbol in a formula, by letter and index, "W_hh". Then the terms for names with
    two meanings, which apply in a formula after the logits or their weights."""
    names = {symbol: BY_SYMBOL[symbol] for symbol in SENTENCE_SYMBOLS}
    names |= {letter: BY_SYMBOL[symbol] for letters, symbol in LETTERS.items() for letter in letters}
    names |= {"L": "loss", "d": "gradient"}  # d as in dW
    behind: dict[str, str] = {}
    for name in filter(BY_SYMBOL.__contains__, WEIGHT_NAMES):
        printed = in_notation(in_formula(name), notation).replace("{", "").replace("}", "")
        (behind if printed in names else names)[printed] = BY_SYMBOL[name]
    return names, behind
