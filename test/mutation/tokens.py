"""C++ as tokens, without white space and comments: enough to find code again
after it was formatted anew, renamed or moved. No preprocessor, no types."""
import collections
import functools
import re

# kind: "name", "keyword", "number", "text" (a string or a character), "sign".
Token = collections.namedtuple("Token", "kind text begin end")

TOKEN = re.compile(
    r"""
      (?P<blank> \s+ | //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:\\\n|[^\n])* )
    | (?P<text> (?:u8|[uUL])? (?: R"(?P<raw>[^(\s]*)\(.*?\)(?P=raw)" | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])+' ) )
    | (?P<number> \.?[0-9] (?: [eEpP][+-] | '?[\w.] )* )
    | (?P<name> [A-Za-z_]\w* )
    | (?P<sign> <<= | >>= | \.\.\. | -> | :: | << | >> | [-+*/%&|^<>=!]= | && | \|\| | \+\+ | -- | . )
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
KEYWORDS = set(
    "alignas alignof auto bool break case catch char class const const_cast constexpr continue decltype default delete do "
    "double dynamic_cast else enum explicit extern false final float for friend goto if inline int long mutable namespace "
    "new noexcept nullptr operator override private protected public reinterpret_cast return short signed sizeof static "
    "static_assert static_cast struct switch template this throw true try typedef typename union unsigned using virtual "
    "void volatile while".split()
)
OPEN, CLOSE = set("([{"), set(")]}")
letters = {}  # what stands for a token in a shape


def is_free(token):
    """Can this name become another one? One with an underscore is LLVM's or
    the standard library's: we have none."""
    return token.kind == "name" and "_" not in token.text


def letter(token):
    if is_free(token):
        return "n"
    return letters.setdefault(token.text, chr(0x10000 + len(letters)))


def tokenize(text):
    for found in TOKEN.finditer(text):
        kind = found.lastgroup
        if kind == "name" and found.group() in KEYWORDS:
            kind = "keyword"
        if kind != "blank":
            yield Token(kind, found.group(), *found.span())


class Code:
    """A text and its tokens. The shape has a letter a token, the same for all
    names that are free to change."""

    def __init__(self, text, tokens=None):
        self.text = text
        self.tokens = list(tokenize(text)) if tokens is None else tokens
        self.shape = "".join(map(letter, self.tokens))

    def part(self, first, last):
        return Code(self.text, self.tokens[first:last])

    @property
    def words(self):
        return [t.text for t in self.tokens]

    @functools.cached_property
    def names(self):
        return {t.text for t in self.tokens if t.kind == "name"}

    def line_of(self, index):
        return self.text.count("\n", 0, self.tokens[index].begin) + 1

    def find(self, pattern, first, last):
        """Where in the tokens from first to last the pattern stands, up to
        renaming: pairs of an index and what each free name is there."""
        index = self.shape.find(pattern.shape, first, last)
        while index >= 0:
            names = binding(pattern.tokens, self.tokens[index : index + len(pattern.tokens)])
            if names is not None:
                yield index, names
            index = self.shape.find(pattern.shape, index + 1, last)

    def excerpt(self, first, last):
        """These tokens on one line, without comments."""
        result = ""
        for before, token in zip([None] + self.tokens[first:last], self.tokens[first:last]):
            apart = before and before.end < token.begin
            if apart and before.text not in ("(", "[", "!", "->", ".", "::") and token.text not in (")", ".", "->", ",", ";"):
                result += " "
            result += token.text
        return result

    @functools.cached_property
    def functions(self):
        return list(find_functions(self.tokens))

    def function_at(self, index):
        return next((name for name, first, last in self.functions if first <= index < last), None)


def binding(pattern, tokens):
    """The names of the pattern with those of the tokens, which have the same
    shape; None if one name would be two."""
    there, back = {}, {}
    for mine, other in zip(pattern, tokens):
        if is_free(mine):
            if there.setdefault(mine.text, other.text) != other.text or back.setdefault(other.text, mine.text) != mine.text:
                return None
    return there


def renamed(text, names):
    """The text, with other names."""
    result, position = "", 0
    for token in Code(text).tokens:
        if token.kind == "name" and token.text in names:
            result += text[position : token.begin] + names[token.text]
            position = token.end
    return result + text[position:]


# Functions.


def matching(tokens, index):
    """The index behind the bracket that closes the one at index."""
    depth = 0
    for i in range(index, len(tokens)):
        if tokens[i].kind == "sign":
            depth += (tokens[i].text in OPEN) - (tokens[i].text in CLOSE)
            if depth == 0:
                return i + 1
    return len(tokens)


def find_functions(tokens):
    """(name, first, last) of each function with a body, classes in front of the
    name, namespaces not."""
    scopes = []  # of namespaces and classes: their name, or ""
    start = index = 0
    while index < len(tokens):
        text = tokens[index].text
        if text == ";" or text == ":" and index and tokens[index - 1].text in ("public", "private", "protected"):
            start = index + 1
        elif text == "}":
            scopes = scopes[:-1]
            start = index + 1
        elif text in "([":
            index = matching(tokens, index)
            continue
        elif text == "{":
            what, name = classify(tokens[start:index])
            end = matching(tokens, index)
            if what == "scope":
                scopes.append(name)
                start = index + 1
            elif what == "function":
                yield "::".join([s for s in scopes if s] + [name]), start, end
                start = index = end
                continue
            else:  # a value, or an enumeration
                index = end
                continue
        index += 1


def classify(head):
    """What the declaration in front of a brace opens, and its name."""
    texts = [t.text for t in head]
    if "namespace" in texts or texts[:1] == ["extern"]:
        return "scope", ""
    name = name_of_function(head)
    if name and "=" not in texts[: texts.index("(")] or "operator" in texts:
        # `: Member{` of a constructor opens no body.
        behind = len(texts) - 1 - texts[::-1].index(")")
        return ("value", "") if ":" in texts[behind:] or head[-1].text == "," else ("function", name)
    for i, token in enumerate(head):
        if token.text in ("class", "struct", "union") and "enum" not in texts[:i] and texts[i - 1 : i] not in (["<"], [","]):
            names = [t.text for t in head[i + 1 : texts.index(":") if ":" in texts else None] if t.kind == "name"]
            return "scope", names[-1] if names else ""
    return "value", ""


def name_of_function(head):
    """The qualified name in front of the first parenthesis that is not part of
    a template argument."""
    angles = 0
    for i, token in enumerate(head):
        text = token.text
        if text == "operator":
            end = next(j for j in range(i + 2, len(head) + 1) if j == len(head) or head[j].text == "(")
            return qualified(head, i) + "".join(t.text for t in head[i:end])
        angles += (text == "<") - (text == ">") - 2 * (text == ">>")
        if text == "(" and angles <= 0 and i and head[i - 1].kind == "name":
            tilde = "~" if i > 1 and head[i - 2].text == "~" else ""
            return qualified(head, i - 1 - len(tilde)) + tilde + head[i - 1].text
    return ""


def qualified(head, index):
    """`A::B::` in front of the name at index."""
    result = ""
    while index >= 2 and head[index - 1].text == "::" and head[index - 2].kind == "name":
        result = head[index - 2].text + "::" + result
        index -= 2
    return result
