"""The application under test, one kind of door a file."""

from ringtrue.pipelines.callable import CallablePipeline
from ringtrue.pipelines.command import Command
from ringtrue.pipelines.http import Http
from ringtrue.pipelines.knowledge_base import KnowledgeBase
from ringtrue.pipelines.recorded import Recorded

__all__ = ["CallablePipeline", "Command", "Http", "KnowledgeBase", "Recorded"]
