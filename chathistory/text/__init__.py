"""Normal form, sentences, words and names: what every room above agrees on about text."""

from chathistory.domain import text_id
from chathistory.text.figure_names import check_name
from chathistory.text.name_forms import Named, fold_name, name_key, same_name
from chathistory.text.names import Mention, NameReader
from chathistory.text.normalise import fold_width, normalise, simplify, tidy_blanks
from chathistory.text.sentences import sentences
from chathistory.text.tokens import tokens

__all__ = [
    "Mention",
    "NameReader",
    "Named",
    "check_name",
    "fold_name",
    "fold_width",
    "name_key",
    "normalise",
    "same_name",
    "sentences",
    "simplify",
    "text_id",
    "tidy_blanks",
    "tokens",
]
