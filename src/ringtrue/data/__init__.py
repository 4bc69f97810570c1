"""Datasets and answers in and out: files, fields, facts, and the store."""
