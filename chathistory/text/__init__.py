"""Normal form, sentences, words and names: what every room above agrees on about text."""

from chathistory.domain import text_id
from chathistory.text.normalise import fold_width, normalise, simplify, tidy_blanks
from chathistory.text.sentences import sentences
from chathistory.text.tokens import tokens

__all__ = ["fold_width", "normalise", "sentences", "simplify", "text_id", "tidy_blanks", "tokens"]
