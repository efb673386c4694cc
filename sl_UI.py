"""The web salon: ``streamlit run sl_UI.py``."""

from chathistory.ui import render

render()
