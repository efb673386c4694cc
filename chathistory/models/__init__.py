"""Models behind protocols: embedded ones and any OpenAI-compatible provider."""
