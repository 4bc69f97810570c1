"""Exports of annotation and tracing tools as ratings: one module a tool."""
