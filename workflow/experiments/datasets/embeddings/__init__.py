"""Embeddings: one module an embedding, from raw data to vectors or scores."""
