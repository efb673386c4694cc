"""The web salon: ``streamlit run sl_UI.py``."""

from pathlib import Path

from chathistory.ui import render

render(Path(__file__).resolve().parent)
