"""What the tests of the language server share: a folder to write in, open files, and a client."""

from __future__ import annotations

import asyncio
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

from interpreter.bundled import variants_dir

SCRIPT = Path(sys.executable).with_name("rulewright")
SERVER = ClientServerConfig(server_command=[str(SCRIPT), "lsp", "--stdio"])


@pytest_lsp.fixture(config=SERVER, scope="module")
async def client(lsp_client: LanguageClient):  # type: ignore[no-untyped-def]
    """A client that has greeted its server."""
    params = types.InitializeParams(
        capabilities=pytest_lsp.client_capabilities("visual-studio-code")
    )
    await lsp_client.initialize_session(params)
    yield
    await lsp_client.shutdown_session()


def copied(name: str, target: Path) -> Path:
    """A copy of a bundled variant, to be changed."""
    shutil.copytree(variants_dir() / name, target / name)
    return target / name


@dataclass
class Page:
    """An open file. Places are marked in it by `|` in what is searched for: `own|er`."""

    client: LanguageClient
    path: Path
    text: str = ""
    version: int = 0

    @property
    def uri(self) -> str:
        return self.path.as_uri()

    @property
    def document(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    def open(self) -> Page:
        self.text = self.path.read_text(encoding="utf-8")
        item = types.TextDocumentItem(self.uri, "rulewright", self.version, self.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return self

    def edit(self, text: str) -> None:
        """The text is now this."""
        self.text, self.version = text, self.version + 1
        self.client.diagnostics.pop(self.uri, None)
        document = types.VersionedTextDocumentIdentifier(uri=self.uri, version=self.version)
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    def replace(self, old: str, new: str) -> None:
        assert old in self.text, old
        self.edit(self.text.replace(old, new, 1))

    def at(self, marked: str) -> types.Position:
        """The position of the `|` in a piece of the text."""
        before, _, after = marked.partition("|")
        offset = self.text.index(before + after) + len(before)
        line = self.text.count("\n", 0, offset)
        start = self.text.rfind("\n", 0, offset) + 1
        return types.Position(line, len(self.text[start:offset].encode("utf-16-le")) // 2)

    async def diagnostics(self) -> list[types.Diagnostic]:
        """What is said of the text as it is now."""
        for _ in range(400):
            found = self.client.diagnostics.get(self.uri)
            if found is not None:
                return list(found)
            await asyncio.sleep(0.02)
        raise AssertionError("nothing was said of the file")

    async def until(self, code: str) -> list[str]:
        """The codes, once one of them is there: the whole check comes later."""
        for _ in range(400):
            found = await self.codes()
            if code in found:
                return found
            await asyncio.sleep(0.05)
        raise AssertionError(f"{code} was never said")

    async def codes(self) -> list[str]:
        return [str(each.code) for each in await self.diagnostics()]
