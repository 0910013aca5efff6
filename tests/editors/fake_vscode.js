// As much of Visual Studio Code as the extension uses: what it registers can be asked.
"use strict";

const registered = {};
const listeners = {};
const sets = new Map();

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}
class Range {
  constructor(a, b, c, d) {
    this.start = new Position(a, b);
    this.end = new Position(c, d);
  }
}
const holder = (...names) =>
  class {
    constructor(...values) {
      names.forEach((name, number) => (this[name] = values[number]));
    }
  };
class WorkspaceEdit {
  constructor() {
    this.edits = [];
  }
  replace(uri, range, text) {
    this.edits.push([uri.toString(), range.start.line, text]);
  }
}
class Uri {
  constructor(text) {
    this.text = text;
    this.fsPath = decodeURIComponent(text.replace("file://", ""));
  }
  toString() {
    return this.text;
  }
  static parse(text) {
    return new Uri(text);
  }
  static file(path) {
    return new Uri("file://" + path);
  }
}

const languages = {
  createDiagnosticCollection: () => ({
    set: (uri, found) => sets.set(uri.toString(), found),
    clear: () => sets.clear(),
  }),
  match: () => 10,
};
for (const kind of [
  "Hover", "Definition", "Reference", "Rename", "CompletionItem", "SignatureHelp", "DocumentSymbol",
  "FoldingRange", "DocumentFormattingEdit", "CodeActions", "CodeLens", "InlayHints",
  "DocumentSemanticTokens",
]) {
  languages[`register${kind}Provider`] = (selector, provider) => {
    registered[kind] = provider;
    return {};
  };
}

const on = (name) => (listener) => {
  listeners[name] = listener;
  return {};
};

module.exports = {
  registered, listeners, sets,
  Position, Range, Uri, WorkspaceEdit, languages,
  Location: holder("uri", "range"),
  Diagnostic: holder("range", "message", "severity"),
  DiagnosticRelatedInformation: holder("location", "message"),
  Hover: holder("contents", "range"),
  MarkdownString: holder("value"),
  SnippetString: holder("value"),
  CompletionItem: holder("label", "kind"),
  TextEdit: holder("range", "newText"),
  DocumentSymbol: holder("name", "detail", "kind", "range", "selectionRange"),
  SignatureHelp: holder(),
  SignatureInformation: holder("label", "documentation"),
  ParameterInformation: holder("label", "documentation"),
  CodeLens: holder("range", "command"),
  CodeAction: holder("title", "kind"),
  CodeActionKind: { QuickFix: "quickfix" },
  InlayHint: holder("position", "label"),
  FoldingRange: holder("start", "end"),
  SemanticTokens: holder("data"),
  SemanticTokensLegend: holder("types", "modifiers"),
  ProcessExecution: holder("process", "args"),
  Task: holder("definition", "scope", "name", "source", "execution", "problemMatchers"),
  TaskScope: { Workspace: 2 },
  commands: {
    registerCommand: (id, run) => {
      registered[id] = run;
      return {};
    },
    executeCommand: async (...args) => args,
  },
  tasks: {
    registerTaskProvider: (kind, provider) => {
      registered.tasks = provider;
      return {};
    },
    executeTask: async (task) => task,
  },
  window: {
    activeTextEditor: undefined,
    messages: [],
    showErrorMessage: (text) => module.exports.window.messages.push(text),
    showInformationMessage: (text) => module.exports.window.messages.push(text),
  },
  workspace: {
    workspaceFolders: undefined,
    textDocuments: [],
    getConfiguration: () => ({ get: () => JSON.parse(process.env.RULEWRIGHT_COMMAND) }),
    onDidOpenTextDocument: on("open"),
    onDidChangeTextDocument: on("change"),
    onDidCloseTextDocument: on("close"),
  },
};
