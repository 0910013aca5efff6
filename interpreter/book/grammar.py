"""English: plurals, articles, whose something is, and what names of flags say."""

from __future__ import annotations

import re

_MODAL = {"can", "may", "must", "will", "was", "could", "should"}
_PARTICIPLES = {"built", "won", "lost", "gone", "been", "put", "paid", "sold", "met", "held", "had"}
_NO_VERBS = {"is", "has", "always", "as", "less", "this", "plus", "minus", "bonus", "unless"}
_ADJECTIVE = re.compile(r".*(?:ive|ed|est|able|ous|ful)$")


def plural(words: str) -> str:
    """The plural of a noun, which is its last word."""
    if re.search(r"[^aeiou]y$", words):
        return f"{words[:-1]}ies"
    if re.search(r"(?:s|x|z|ch|sh)$", words):
        return f"{words}es"
    return f"{words}s"


def a(words: str) -> str:
    """A noun with `a` or `an`."""
    return f"{'an' if words[:1].lower() in 'aeio' else 'a'} {words}"


def capital(text: str) -> str:
    """A text that begins with a capital."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A sentence: with a capital and an end."""
    text = capital(text.strip())
    return text if not text or text[-1] in ".!?:…" else f"{text}."


def plain(name: str) -> str:
    """A name of the rules as words, without the number or the place that keeps it apart."""
    return re.sub(r"_\d+$|@.*$", "", name).replace("_", " ")


def whose(owner: str, label: str) -> str:
    """Something of somebody: `the player's cash`, `the price of the card that is for sale`."""
    if owner == "it":
        return f"its {label}"
    if " of " in owner or "’s " in owner or len(owner.split()) > 3:
        return f"the {label} of {owner}"
    return f"{owner}’ {label}" if owner.endswith("s") else f"{owner}’s {label}"


def is_adjective(word: str) -> bool:
    """Whether a word looks like one that stands before a noun."""
    return " " not in word and _ADJECTIVE.fullmatch(word) is not None


def predicate(name: str, *, holds: bool = True) -> str:
    """What the name of a flag says of whom it belongs to: `is mortgaged`, `cannot pay`."""
    words = plain(name).split()
    first, rest = words[0], " ".join(words[1:])
    no = "" if holds else " not"
    if first == "can" and not holds:
        return f"cannot {rest}".strip()
    if first == "is" or first in _MODAL:
        return f"{first}{no} {rest}".strip()
    if first == "has":
        return _has(words[1:], holds=holds)
    is_verb = first.endswith("s") and not first.endswith("ss") and first not in _NO_VERBS
    if is_verb:
        return f"{first} {rest}".strip() if holds else f"does not {_bare(first)} {rest}".strip()
    return f"is{no} {' '.join(words)}"


def clause_of(name: str, *, holds: bool = True) -> str | None:
    """What the name of a flag says where it is a whole clause: `toll is due`, `toll is not due`."""
    words = plain(name).split()
    for number, word in enumerate(words):
        if word in ("is", "are") and number:
            no = [] if holds else ["not"]
            return " ".join([*words[: number + 1], *no, *words[number + 1 :]])
    return None


def _has(words: list[str], *, holds: bool) -> str:
    rest = " ".join(words)
    is_done = bool(words) and (words[0].endswith("ed") or words[0] in _PARTICIPLES)
    if holds:
        return f"has {rest}".strip()
    return f"has not {rest}" if is_done else f"does not have {rest}".strip()


_IRREGULAR = {"have": "has", "be": "is", "do": "does", "go": "goes"}


def third(verb: str) -> str:
    """What somebody does, of what one does: `draws cards`, `throws and moves`."""
    words = verb.split()
    for number, word in enumerate(words):
        if number == 0 or words[number - 1] == "and":
            words[number] = _IRREGULAR.get(word) or plural(word)
    return " ".join(words)


def are(noun: str) -> str:
    """`is` or `are`, as fits a noun."""
    return "are" if is_many(noun) else "is"


def is_many(noun: str) -> bool:
    """Whether a noun stands for several."""
    head = re.split(r" (?:of|for|among|in|from|after|with) ", noun)[0]
    last = head.rpartition(" ")[2]
    return head.startswith("all ") or (
        last.endswith("s")
        and not re.search(r"(?:ss|us|is|[’'])s?$", last)
        and not last.endswith("’s")
    )


def _bare(verb: str) -> str:
    """`hold` of `holds`, `pass` of `passes`, `carry` of `carries`."""
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if re.search(r"(?:ss|x|ch|sh|o)es$", verb) else verb[:-1]


def listed(items: list[str], word: str = "and") -> str:
    """Words in a row: `a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def counted(number: int, noun: str) -> str:
    """`1 card`, `3 cards`."""
    return f"{number} {noun if number == 1 else plural(noun)}"
