"""The server: each request of the protocol, answered by the module that knows.

Handlers are functions of the server and the parameters; what they share is the `Desk`.
"""

from __future__ import annotations

from concurrent.futures import Executor
from pathlib import Path
from typing import cast

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from dsl.check import fit
from dsl.check.uses import Use
from dsl.data.formatter import format_data
from dsl.diagnostics import Bag, Diagnostic
from dsl.project.files import read_script
from dsl.project.find import Folder, folder_at, shown
from dsl.source import Source, Span
from dsl.syntax import nodes as syntax
from dsl.syntax.formatter import format_text
from interpreter.lsp import colours, hints
from interpreter.lsp.analysis import Analysis, analyse, library_around
from interpreter.lsp.completing import complete
from interpreter.lsp.describing import describe, expression_at
from interpreter.lsp.desk import Desk, Whole
from interpreter.lsp.outlining import folds, outline
from interpreter.lsp.places import (
    location_of,
    offset_of,
    path_of_source,
    path_of_uri,
    range_of,
    uri_of,
    uri_of_path,
)
from interpreter.lsp.renaming import NoRenameError, renamed, why_not
from interpreter.lsp.reporting import by_uri, code_actions
from interpreter.scenario.suite import run_scenarios

RULES = ".rules"


class Server(LanguageServer):
    """The language server, with what is open in it."""

    def __init__(self, version: str, whole: Whole | None, processes: Executor | None) -> None:
        super().__init__("rulewright", version)
        self.desk = Desk(self._publish, whole, processes)
        self._published: dict[Path, set[str]] = {}

    def _publish(self, folder: Path, found: list[Diagnostic]) -> None:
        """Sends the findings of a folder, file by file; where there are none any more, that."""
        now = by_uri(found)
        for uri in self._published.get(folder, set()) - now.keys():
            self._send(uri, [])
        open_uris = set(self.workspace.text_documents)
        for uri in {*now, *(each for each in open_uris if _belongs(each, folder))}:
            self._send(uri, now.get(uri, []))
        self._published[folder] = set(now)

    def _send(self, uri: str, found: list[types.Diagnostic]) -> None:
        document = self.workspace.text_documents.get(uri)
        version = document.version if document is not None else None
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, found, version=version)
        )

    # ------------------------------------------------------------ what handlers need

    def text(self, uri: str) -> str:
        """The text of a document."""
        return self.workspace.get_text_document(uri).source

    def file(self, uri: str) -> tuple[Path, Source]:
        """The file of a document and its text as a source."""
        path = path_of_uri(uri)
        if path is None:
            raise JsonRpcInvalidParams(message=f"{uri} is no file")
        return path, Source(shown(path), self.text(uri))

    def script(self, uri: str) -> tuple[Source, syntax.Script] | None:
        """What stands in a script."""
        path, _ = self.file(uri)
        read = read_script(path, Bag()) if path.suffix == RULES else None
        return None if read is None else (read.source, read.script)


def _belongs(uri: str, folder: Path) -> bool:
    path = path_of_uri(uri)
    return path is not None and (path == folder or path.is_relative_to(folder.absolute()))


def make_server(version: str, whole: Whole | None, processes: Executor | None) -> Server:
    """A server that answers all requests. `whole` checks a folder to the end, in `processes`."""
    server = Server(version, whole, processes)
    for request, handler, options in _HANDLERS:
        server.feature(request, options)(handler)
    server.command(hints.RUN_SCENARIO)(_run_scenario)
    return server


# ---------------------------------------------------------------- texts


def _opened(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    _changed_uri(server, params.text_document.uri)


def _changed(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    _changed_uri(server, params.text_document.uri)


def _saved(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    _changed_uri(server, params.text_document.uri)


def _changed_uri(server: Server, uri: str) -> None:
    path = path_of_uri(uri)
    if path is not None:
        server.desk.change(path, server.text(uri))


def _closed(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    path = path_of_uri(params.text_document.uri)
    if path is not None:
        server.desk.change(path, None)


def _files_changed(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    for change in params.changes:
        path = path_of_uri(change.uri)
        if path is not None and change.uri in server.workspace.text_documents:
            server.desk.change(path, server.text(change.uri))


def _shutdown(server: Server, _: None) -> None:
    server.desk.close()


# ---------------------------------------------------------------- one file by itself


def _outline(server: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    read = server.script(params.text_document.uri)
    return outline(read[1]) if read is not None else []


def _folds(server: Server, params: types.FoldingRangeParams) -> list[types.FoldingRange]:
    return folds(server.file(params.text_document.uri)[1])


def _format(server: Server, params: types.DocumentFormattingParams) -> list[types.TextEdit] | None:
    path, source = server.file(params.text_document.uri)
    make = format_text if path.suffix == RULES else format_data
    text = make(source, Bag())
    if text is None or text == source.text:
        return None
    return [types.TextEdit(range_of(Span(source, 0, len(source.text))), text)]


# ---------------------------------------------------------------- what a word means


async def _colours(
    server: Server, params: types.SemanticTokensParams
) -> types.SemanticTokens | None:
    path, source = server.file(params.text_document.uri)
    if path.suffix != RULES:
        return None
    found = await server.desk.analysis(path)
    uses = found.uses if found is not None else None
    return types.SemanticTokens(colours.semantic_tokens(source, uses))


async def _hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    path, source = server.file(params.text_document.uri)
    found = await server.desk.analysis(path)
    if found is None:
        return None
    offset = offset_of(source.text, params.position)
    use = found.uses.at(source.name, offset)
    if use is not None:
        described = describe(found, use.meaning, use.span.text)
        if described is not None:
            return _shown(described.markdown(), range_of(use.span))
    expression = expression_at(found, source, offset)
    if expression is None or fit.is_poison(expression[1]):
        return None
    span, type_ = expression
    return _shown(f"`{' '.join(span.text.split())}`: {fit.describe(type_)}", range_of(span))


def _shown(text: str, place: types.Range) -> types.Hover:
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), place)


_Pointing = (
    types.DefinitionParams | types.ReferenceParams | types.PrepareRenameParams | types.RenameParams
)


async def _pointed(server: Server, params: _Pointing) -> tuple[Analysis, Use] | None:
    """What is pointed at, and all that is known."""
    path, source = server.file(params.text_document.uri)
    found = await server.desk.analysis(path)
    offset = offset_of(source.text, params.position)
    use = found.uses.at(source.name, offset) if found is not None else None
    return None if found is None or use is None else (found, use)


async def _definition(server: Server, params: types.DefinitionParams) -> types.Location | None:
    pointed = await _pointed(server, params)
    if pointed is None:
        return None
    found, use = pointed
    declared = found.uses.declaration(use.meaning)
    return location_of(declared.span) if declared is not None else None


async def _references(server: Server, params: types.ReferenceParams) -> list[types.Location]:
    pointed = await _pointed(server, params)
    if pointed is None:
        return []
    found, use = pointed

    def work() -> list[Use]:
        whole = analyse(found.folder, path_of_source(found.edited), scenarios=True)
        return whole.uses.of(use.meaning)

    return [
        location_of(each.span)
        for each in cast("list[Use]", await server.desk.in_turn(work))
        if params.context.include_declaration or not each.is_declared
    ]


async def _prepare_rename(
    server: Server, params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    pointed = await _pointed(server, params)
    if pointed is None:
        return None
    found, use = pointed
    reason = why_not(found, use.meaning)
    if reason is not None:
        raise JsonRpcInvalidParams(message=reason)
    return types.PrepareRenamePlaceholder(range_of(use.span), use.span.text)


async def _rename(server: Server, params: types.RenameParams) -> types.WorkspaceEdit | None:
    pointed = await _pointed(server, params)
    if pointed is None:
        return None
    found, use = pointed

    def work() -> types.WorkspaceEdit:
        changes: dict[str, list[types.TextEdit]] = {}
        whole = analyse(found.folder, path_of_source(found.edited), scenarios=True)
        for span, text in renamed(whole, use.meaning, use.span.text, params.new_name):
            edit = types.TextEdit(range_of(span), text)
            changes.setdefault(uri_of(span.source), []).append(edit)
        return types.WorkspaceEdit(changes=changes)

    try:
        return cast(types.WorkspaceEdit, await server.desk.in_turn(work))
    except NoRenameError as error:
        raise JsonRpcInvalidParams(message=str(error)) from None


# ---------------------------------------------------------------- while typing


async def _complete(server: Server, params: types.CompletionParams) -> list[types.CompletionItem]:
    path, source = server.file(params.text_document.uri)
    folder = folder_at(path)
    if folder is None or path.suffix != RULES:
        return []
    offset = offset_of(source.text, params.position)
    made = await server.desk.in_turn(lambda: complete(folder, path, source.text, offset))
    return cast("list[types.CompletionItem]", made)


async def _signature(
    server: Server, params: types.SignatureHelpParams
) -> types.SignatureHelp | None:
    path, source = server.file(params.text_document.uri)
    found = await server.desk.analysis(path)
    if found is None or path.suffix != RULES:
        return None
    return hints.signature_help(found, source.text, offset_of(source.text, params.position))


async def _hints(server: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    path, source = server.file(params.text_document.uri)
    found = await server.desk.analysis(path)
    if found is None:
        return []
    start = offset_of(source.text, params.range.start)
    return hints.inlay_hints(found, source, start, offset_of(source.text, params.range.end))


async def _lenses(server: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    uri = params.text_document.uri
    read = server.script(uri)
    if read is None:
        return []
    found = await server.desk.analysis(server.file(uri)[0])
    return hints.lenses(found, *read, uri)


async def _actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    path, _ = server.file(params.text_document.uri)
    await server.desk.analysis(path)
    uri = uri_of_path(path.absolute())
    return code_actions(server.desk.findings(path), uri, params.range)


# ---------------------------------------------------------------- commands


async def _run_scenario(server: Server, uri: str, title: str) -> dict[str, object]:
    """Runs the scenarios of a title, as they are on disk or open; says what came out."""
    path = path_of_uri(uri)
    folder = folder_at(path) if path is not None else None
    if folder is None:
        return {"passed": False, "text": "this file belongs to no variant or mod"}
    text, is_good = cast("tuple[str, bool]", await server.desk.in_turn(lambda: _ran(folder, title)))
    server.window_log_message(types.LogMessageParams(types.MessageType.Info, text))
    level = types.MessageType.Info if is_good else types.MessageType.Error
    head = text.partition("\n")[0]
    server.window_show_message(types.ShowMessageParams(level, head))
    return {"passed": is_good, "text": text}


def _ran(folder: Folder, title: str) -> tuple[str, bool]:
    bag = Bag()
    report = run_scenarios(library_around(folder), str(folder.path), bag, word=title)
    results = [result for result in report.results if result.title == title]
    texts = [result.text() for result in results]
    texts += [each.message for each in bag.sorted() if each.severity == "error"]
    passed = bool(results) and all(result.passed for result in results) and not bag.has_errors
    return "\n".join(texts) or "there is no such scenario", passed


_HANDLERS = (
    (types.TEXT_DOCUMENT_DID_OPEN, _opened, None),
    (types.TEXT_DOCUMENT_DID_CHANGE, _changed, None),
    (types.TEXT_DOCUMENT_DID_SAVE, _saved, None),
    (types.TEXT_DOCUMENT_DID_CLOSE, _closed, None),
    (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, _files_changed, None),
    (types.SHUTDOWN, _shutdown, None),
    (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, _outline, None),
    (types.TEXT_DOCUMENT_FOLDING_RANGE, _folds, None),
    (types.TEXT_DOCUMENT_FORMATTING, _format, None),
    (types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, _colours, colours.LEGEND),
    (types.TEXT_DOCUMENT_HOVER, _hover, None),
    (types.TEXT_DOCUMENT_DEFINITION, _definition, None),
    (types.TEXT_DOCUMENT_REFERENCES, _references, None),
    (types.TEXT_DOCUMENT_PREPARE_RENAME, _prepare_rename, None),
    (types.TEXT_DOCUMENT_RENAME, _rename, types.RenameOptions(prepare_provider=True)),
    (
        types.TEXT_DOCUMENT_COMPLETION,
        _complete,
        types.CompletionOptions(trigger_characters=[".", " "]),
    ),
    (
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        _signature,
        types.SignatureHelpOptions(trigger_characters=[" ", "(", ","]),
    ),
    (types.TEXT_DOCUMENT_INLAY_HINT, _hints, None),
    (types.TEXT_DOCUMENT_CODE_LENS, _lenses, None),
    (types.TEXT_DOCUMENT_CODE_ACTION, _actions, None),
)
