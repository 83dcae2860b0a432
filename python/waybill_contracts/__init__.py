"""Checks payloads against the published Waybill contracts before they are stored."""

from .catalogue import UnknownContract, contracts
from .check import Result, check, check_text
from .finding import Finding
from .load import Unreadable, load

__all__ = [
    "Finding",
    "Result",
    "UnknownContract",
    "Unreadable",
    "check",
    "check_text",
    "contracts",
    "load",
]
