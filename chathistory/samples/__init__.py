"""Articles of a few figures, written for this project, so that a first run needs no network."""
