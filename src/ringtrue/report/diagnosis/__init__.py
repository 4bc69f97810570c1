"""Which stage of a RAG application to mend first, and what shows it."""
