"""Graph and ranking kernels on numpy and scipy: no text, no network."""
