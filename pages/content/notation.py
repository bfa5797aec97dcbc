"""The names of the parameters in either source: the setting ``notation`` selects the source. And the glossary: the symbols and
terms on the screen, with their names in textbooks of other languages.

Code, figures and sentences use the names of the first source; :func:`in_notation` replaces them with those of the second. It is
for the dashboard's own texts only: a token "W_hh" of a reader's text does not change.
"""

import re
from typing import NamedTuple, TypeVar

from core.config.language import gettext as _, lazy_gettext

FIRST, SECOND = "first", "second"
TITLES = {FIRST: "Dive into Deep Learning", SECOND: "Deep Learning from Scratch 2"}
Ours = TypeVar("Ours", str, list, tuple, dict)


class Name(NamedTuple):
    """The name in the second source, in code and in a formula; and the layer, if it is a parameter."""

    code: str
    formula: str
    layer: str = ""


NAMES = {  # by the name in the first source
    "W_xh": Name("Wx", "W_{x}", "RNN"),
    "W_hh": Name("Wh", "W_{h}", "RNN"),
    "b_h": Name("b", "b", "RNN"),
    "W_hq": Name("W", "W", lazy_gettext("affine")),
    "b_q": Name("b", "b", lazy_gettext("affine")),
    "W_emb": Name("embed_W", "W_{embed}", "embedding"),
    "num_steps": Name("time_size", "time_size"),
    "embed_size": Name("wordvec_size", "wordvec_size"),
}


def _spelled(name: str) -> str:
    letter, _, low = name.partition("_")
    return rf"{letter}_(?:\{{{low}\}}|{low}(?![A-Za-z]))"


_FOUND = re.compile(rf"(?<![A-Za-ce-z_])(d?)({'|'.join(map(_spelled, NAMES))})")  # also dW_hh, the gradient of W_hh


def in_notation(ours: Ours, notation: str) -> Ours:
    """The dashboard's own text, or a structure of such texts, with the names of ``notation``."""
    if notation == FIRST:
        return ours
    if isinstance(ours, str):
        return _FOUND.sub(_other, ours) if "_" in ours else ours
    if isinstance(ours, dict):
        return {key: in_notation(value, notation) for key, value in ours.items()}
    return [in_notation(value, notation) for value in ours] if isinstance(ours, list | tuple) else ours


def _other(found: re.Match[str]) -> str:
    gradient, name = found.groups()
    other = NAMES[name.replace("{", "").replace("}", "")]
    return gradient + (other.formula if "{" in name else other.code)


def in_formula(name: str) -> str:
    """A parameter's name as in a formula: "W_{hh}"."""
    return re.sub("_(.*)", r"_{\1}", name)


def in_full(name: str, notation: str) -> str:
    """A parameter's name with its layer: in the second source, the biases of two layers are called b."""
    return _("{name}, {layer}", name=in_notation(name, notation), layer=_(NAMES[name].layer))


LANGUAGES = {"zh-Hans": "中文", "ja": "日本語", "fr": "français", "de": "Deutsch"}  # code: its own name


class Word(NamedTuple):
    """An entry of the glossary. ``symbol``: as in a formula, "W_xh", or empty; ``means``: the meaning in one sentence; the other
    fields: the term in English and in each of ``LANGUAGES``."""

    symbol: str
    english: str
    means: str
    chinese: str
    japanese: str
    french: str
    german: str

    @property
    def translated(self) -> dict[str, str]:
        """The term by the code of its language."""
        return dict(zip(LANGUAGES, (self.chinese, self.japanese, self.french, self.german), strict=True))


# fmt: off
GLOSSARY = (
    Word("x_t", "input", "What the network reads at step t: the vector of one token.",
         "输入", "入力", "entrée", "Eingabe"),
    Word("h_t", "hidden state", "What the network remembers after step t: H numbers, handed on to the next step.",
         "隐状态", "隠れ状態", "état caché", "verborgener Zustand"),
    Word("o_t", "logit", "The score of a token before softmax; it can be any number.",
         "未规范化的预测 (logit)", "ロジット", "logit", "Logit"),
    Word("a_t", "pre-activation", "The weighted sum of input, state before and bias; φ makes the new state of it.",
         "预激活值", "活性化前の値", "préactivation", "Präaktivierung"),
    Word("p_t", "predicted probability", "What softmax makes of the logits: for every token how probable it is as the next one.",
         "预测概率", "予測確率", "probabilité prédite", "vorhergesagte Wahrscheinlichkeit"),
    Word("φ", "activation function", "Turns the weighted sum of a unit into its state: tanh, relu or sigmoid.",
         "激活函数", "活性化関数", "fonction d’activation", "Aktivierungsfunktion"),
    Word("W_xh", "input weights", "Multiply the input; the product is added to what comes from the state before.",
         "输入到隐藏层的权重", "入力から隠れ状態への重み", "poids d’entrée", "Eingabegewichte"),
    Word("W_hh", "recurrent weights", "Multiply the state of the step before; the same at every step.",
         "隐藏层到隐藏层的权重", "隠れ状態から隠れ状態への重み", "poids récurrents", "rekurrente Gewichte"),
    Word("W_hq", "output weights", "Multiply the state; with b_q they give the logits.",
         "隐藏层到输出层的权重", "隠れ状態から出力への重み", "poids de sortie", "Ausgabegewichte"),
    Word("b_h", "bias of the state", "Added to the weighted sum of every hidden unit.",
         "隐藏层的偏置", "隠れ状態のバイアス", "biais de l’état", "Bias des Zustands"),
    Word("b_q", "bias of the logits", "Added to every logit.",
         "输出层的偏置", "出力のバイアス", "biais de la sortie", "Bias der Ausgabe"),
    Word("W_emb", "embedding weights", "One row for each token: the vector that stands for it.",
         "嵌入矩阵", "埋め込み行列", "matrice de plongement", "Einbettungsmatrix"),
    Word("T", "time steps", "num_steps: tokens of each sequence in the window; so many steps backpropagation can go back.",
         "时间步数", "時間ステップ数", "nombre de pas de temps", "Anzahl der Zeitschritte"),
    Word("τ", "truncation length", "How many steps the gradient may go back before it is cut.",
         "截断长度", "打ち切りの長さ", "longueur de troncature", "Trunkierungslänge"),
    Word("N", "batch size", "How many sequences are read side by side in one update.",
         "批量大小", "バッチサイズ", "taille du lot", "Batchgröße"),
    Word("H", "hidden units", "How many numbers the hidden state has.",
         "隐藏单元数", "隠れユニット数", "nombre d’unités cachées", "Anzahl verborgener Einheiten"),
    Word("D", "input width", "How many numbers the input vector has; V where the input is one-hot.",
         "输入维度", "入力の次元数", "dimension de l’entrée", "Eingabedimension"),
    Word("V", "vocabulary size", "How many different tokens the network knows.",
         "词表大小", "語彙数", "taille du vocabulaire", "Vokabulargröße"),
    Word("", "token", "One piece of the text: a character or a word.",
         "词元", "トークン", "token", "Token"),
    Word("", "one-hot", "A vector of V numbers: 1 for the token, 0 for all others.",
         "独热编码", "one-hot ベクトル", "encodage one-hot", "One-Hot-Kodierung"),
    Word("", "embedding", "A learnt vector of embed_size numbers for each token, in place of a one-hot vector.",
         "嵌入", "埋め込み", "plongement", "Einbettung"),
    Word("", "softmax", "Turns logits into probabilities: positive numbers with the sum 1.",
         "softmax 函数", "ソフトマックス関数", "softmax", "Softmax"),
    Word("", "loss", "−ln p of the token that came: small where the network gave it much probability.",
         "损失", "損失", "perte", "Verlust"),
    Word("", "nats", "The unit of a loss with the natural logarithm.",
         "纳特", "ナット", "nat", "Nat"),
    Word("", "bits", "The unit of a loss with the logarithm to base 2: nats divided by ln 2.",
         "比特", "ビット", "bit", "Bit"),
    Word("", "perplexity", "Exp of the mean loss in nats: as uncertain as among so many equally likely tokens.",
         "困惑度", "パープレキシティ", "perplexité", "Perplexität"),
    Word("", "held-out text", "A part of the text that is never trained on: it judges the network.",
         "验证数据", "検証用データ", "données de validation", "Validierungsdaten"),
    Word("", "gradient", "How the loss changes with every weight: an update goes the other way.",
         "梯度", "勾配", "gradient", "Gradient"),
    Word("", "truncation", "Backpropagation stops at a border of blocks of τ steps; the state is still handed on.",
         "截断", "打ち切り (Truncated BPTT)", "troncature", "Trunkierung"),
    Word("", "clipping", "A gradient that is longer than a limit is shortened to it; its direction stays.",
         "梯度裁剪", "勾配クリッピング", "écrêtage du gradient", "Gradienten-Clipping"),
    Word("λ", "weight decay", "Every update shrinks all weights by the learning rate times λ; small weights overfit less.",
         "权重衰减", "重み減衰", "dégradation des pondérations", "Gewichtsabnahme"),
    Word("", "overfitting", "The network memorises the training text: perplexity falls there, and not on held-out text.",
         "过拟合", "過学習", "surapprentissage", "Überanpassung"),
    Word("", "spectral radius", "The largest absolute value of the eigenvalues of a matrix, here of W_hh.",
         "谱半径", "スペクトル半径", "rayon spectral", "Spektralradius"),
    Word("", "update", "One change of all weights, made of one window.",
         "参数更新", "パラメータの更新", "mise à jour", "Aktualisierung"),
    Word("", "epoch", "As many updates as it takes to read the training text once.",
         "迭代周期", "エポック", "époque", "Epoche"),
    Word("", "temperature", "Divides the logits when text is written: low makes it sure, high makes it random.",
         "温度", "温度", "température", "Temperatur"),
    Word("␣", "blank", "A blank in a box of its own; in a running text it is a dot.",
         "空格", "空白", "espace", "Leerzeichen"),
    Word("↵", "line end", "Here a line of the text ends.",
         "换行符", "改行", "saut de ligne", "Zeilenumbruch"),
    Word("<unk>", "unknown token", "Stands for every token that is not in the vocabulary.",
         "未知词元", "未知語", "token inconnu", "unbekanntes Token"),
)
# fmt: on

SENTENCE_TERMS = {  # terms with a tooltip in sentences, by their spelling there; common words (input, update, blank) are left out
    **{word: word for word in ("logit", "pre-activation", "hidden state", "hidden units", "one-hot", "embedding", "softmax")},
    **{word: word for word in ("nats", "bits", "perplexity", "spectral radius", "truncation length", "epoch")},
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
    weights = {in_notation(symbol, notation): word for symbol, word in BY_SYMBOL.items() if symbol in NAMES}
    several = {name: word for name, word in weights.items() if len(name) > 1}  # W and b alone can be any letters
    return SENTENCE_TERMS | {symbol: BY_SYMBOL[symbol] for symbol in SENTENCE_SYMBOLS} | several


def in_formulas(notation: str) -> tuple[dict[str, str], dict[str, str]]:
    """The English term of the glossary for each symbol in a formula, by letter and index, "W_hh". Then the terms for names with
    two meanings, which apply in a formula after the logits or their weights."""
    names = {symbol: BY_SYMBOL[symbol] for symbol in SENTENCE_SYMBOLS}
    names |= {letter: BY_SYMBOL[symbol] for letters, symbol in LETTERS.items() for letter in letters}
    names |= {"L": "loss", "d": "gradient"}  # d as in dW
    behind: dict[str, str] = {}
    for name in filter(BY_SYMBOL.__contains__, NAMES):
        printed = in_notation(in_formula(name), notation).replace("{", "").replace("}", "")
        (behind if printed in names else names)[printed] = BY_SYMBOL[name]
    return names, behind
