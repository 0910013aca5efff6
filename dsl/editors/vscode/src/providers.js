// What the editor asks for, as requests to the server; and answers as the editor has them.
"use strict";

const vscode = require("vscode");

const rangeOf = (range) =>
  new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
const locationOf = (place) => new vscode.Location(vscode.Uri.parse(place.uri), rangeOf(place.range));
const markdown = (content) =>
  content === undefined || content === null
    ? undefined
    : new vscode.MarkdownString(typeof content === "string" ? content : content.value);
const SEVERITIES = [0, 0, 1, 2, 3]; // the protocol counts from 1

function diagnosticOf(found) {
  const made = new vscode.Diagnostic(
    rangeOf(found.range),
    found.message,
    SEVERITIES[found.severity || 1],
  );
  made.code = found.code;
  made.source = found.source;
  made.tags = found.tags;
  made.relatedInformation = (found.relatedInformation || []).map(
    (each) => new vscode.DiagnosticRelatedInformation(locationOf(each.location), each.message),
  );
  return made;
}

function editsOf(edit) {
  const made = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries((edit && edit.changes) || {})) {
    for (const each of edits) made.replace(vscode.Uri.parse(uri), rangeOf(each.range), each.newText);
  }
  return made;
}

const textEdits = (edits) =>
  (edits || []).map((each) => new vscode.TextEdit(rangeOf(each.range), each.newText));

function itemOf(item) {
  const made = new vscode.CompletionItem(item.label, (item.kind || 1) - 1);
  made.detail = item.detail;
  made.documentation = markdown(item.documentation);
  made.sortText = item.sortText;
  const text = item.insertText || item.label;
  made.insertText = item.insertTextFormat === 2 ? new vscode.SnippetString(text) : text;
  return made;
}

function symbolOf(symbol) {
  const made = new vscode.DocumentSymbol(
    symbol.name,
    symbol.detail || "",
    symbol.kind - 1,
    rangeOf(symbol.range),
    rangeOf(symbol.selectionRange),
  );
  made.children = (symbol.children || []).map(symbolOf);
  return made;
}

function signaturesOf(help) {
  if (!help) return null;
  const made = new vscode.SignatureHelp();
  made.activeSignature = help.activeSignature || 0;
  made.activeParameter = help.activeParameter || 0;
  made.signatures = help.signatures.map((each) => {
    const one = new vscode.SignatureInformation(each.label, markdown(each.documentation));
    one.parameters = (each.parameters || []).map(
      (param) => new vscode.ParameterInformation(param.label, markdown(param.documentation)),
    );
    return one;
  });
  return made;
}

function lensOf(lens) {
  const { title, command, arguments: args } = lens.command;
  return new vscode.CodeLens(rangeOf(lens.range), { title, command, arguments: args });
}

function actionOf(action) {
  const made = new vscode.CodeAction(action.title, vscode.CodeActionKind.QuickFix);
  made.edit = editsOf(action.edit);
  made.diagnostics = (action.diagnostics || []).map(diagnosticOf);
  made.isPreferred = action.isPreferred;
  return made;
}

function hintOf(hint) {
  const at = new vscode.Position(hint.position.line, hint.position.character);
  const made = new vscode.InlayHint(at, hint.label);
  made.paddingLeft = hint.paddingLeft;
  made.tooltip = hint.tooltip;
  return made;
}

const LEGEND = new vscode.SemanticTokensLegend(
  [
    "keyword", "number", "string", "comment", "class", "enum", "enumMember", "property", "function",
    "event", "namespace", "interface", "method", "variable", "parameter", "type", "struct",
  ],
  ["declaration", "readonly"],
);

// All providers, registered. `ask(method, params, token)` asks the server.
function providers(selector, ask) {
  const of = (document, more) => ({ textDocument: { uri: document.uri.toString() }, ...more });
  const at = (document, position, more) => of(document, { position, ...more });
  const listed = (found, make) => (found || []).map(make);
  const l = vscode.languages;
  return [
    l.registerHoverProvider(selector, {
      provideHover: async (document, position, token) => {
        const found = await ask("textDocument/hover", at(document, position), token);
        return found && new vscode.Hover(markdown(found.contents), rangeOf(found.range));
      },
    }),
    l.registerDefinitionProvider(selector, {
      provideDefinition: async (document, position, token) => {
        const found = await ask("textDocument/definition", at(document, position), token);
        return found && locationOf(found);
      },
    }),
    l.registerReferenceProvider(selector, {
      provideReferences: async (document, position, context, token) =>
        listed(
          await ask("textDocument/references", at(document, position, { context }), token),
          locationOf,
        ),
    }),
    l.registerRenameProvider(selector, {
      prepareRename: async (document, position, token) => {
        const found = await ask("textDocument/prepareRename", at(document, position), token);
        if (!found) throw new Error("There is no name here that can be changed.");
        return { range: rangeOf(found.range), placeholder: found.placeholder };
      },
      provideRenameEdits: async (document, position, newName, token) =>
        editsOf(await ask("textDocument/rename", at(document, position, { newName }), token)),
    }),
    l.registerCompletionItemProvider(
      selector,
      {
        provideCompletionItems: async (document, position, token) =>
          listed(await ask("textDocument/completion", at(document, position), token), itemOf),
      },
      ".",
      " ",
    ),
    l.registerSignatureHelpProvider(
      selector,
      {
        provideSignatureHelp: async (document, position, token) =>
          signaturesOf(await ask("textDocument/signatureHelp", at(document, position), token)),
      },
      " ",
      "(",
      ",",
    ),
    l.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: async (document, token) =>
        listed(await ask("textDocument/documentSymbol", of(document), token), symbolOf),
    }),
    l.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: async (document, context, token) =>
        listed(
          await ask("textDocument/foldingRange", of(document), token),
          (fold) => new vscode.FoldingRange(fold.startLine, fold.endLine),
        ),
    }),
    l.registerDocumentFormattingEditProvider(selector, {
      provideDocumentFormattingEdits: async (document, options, token) =>
        textEdits(await ask("textDocument/formatting", of(document, { options }), token)),
    }),
    l.registerCodeActionsProvider(selector, {
      provideCodeActions: async (document, range, context, token) => {
        const place = { start: range.start, end: range.end };
        const more = { range: place, context: { diagnostics: [] } };
        return listed(await ask("textDocument/codeAction", of(document, more), token), actionOf);
      },
    }),
    l.registerCodeLensProvider(selector, {
      provideCodeLenses: async (document, token) =>
        listed(await ask("textDocument/codeLens", of(document), token), lensOf),
    }),
    l.registerInlayHintsProvider(selector, {
      provideInlayHints: async (document, range, token) => {
        const place = { start: range.start, end: range.end };
        return listed(
          await ask("textDocument/inlayHint", of(document, { range: place }), token),
          hintOf,
        );
      },
    }),
    l.registerDocumentSemanticTokensProvider(
      selector,
      {
        provideDocumentSemanticTokens: async (document, token) => {
          const found = await ask("textDocument/semanticTokens/full", of(document), token);
          return found && new vscode.SemanticTokens(Uint32Array.from(found.data));
        },
      },
      LEGEND,
    ),
  ];
}

module.exports = { providers, rangeOf, diagnosticOf };
