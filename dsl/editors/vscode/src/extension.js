// The extension: starts `rulewright lsp`, and hands what the editor asks on to it and back.
"use strict";

const vscode = require("vscode");
const { Connection } = require("./rpc");
const { providers, rangeOf, diagnosticOf } = require("./providers");

const LANGUAGE = "rulewright";
const SELECTOR = [
  { language: LANGUAGE, scheme: "file" },
  { language: "yaml", scheme: "file", pattern: "**/{variant,mod,rulewright}.yaml" },
  { language: "yaml", scheme: "file", pattern: "**/locale/*.yaml" },
];

let connection = null;
let ready = null;
let diagnostics = null;

function command() {
  return vscode.workspace.getConfiguration(LANGUAGE).get("command", ["rulewright"]);
}

function folder() {
  const first = (vscode.workspace.workspaceFolders || [])[0];
  return first ? first.uri.fsPath : undefined;
}

function isOurs(document) {
  return vscode.languages.match(SELECTOR, document) > 0;
}

async function start() {
  diagnostics.clear();
  const own = new Connection([...command(), "lsp"], folder(), noticed, (reason) => {
    if (connection === own) {
      connection = null;
      vscode.window.showErrorMessage(`Rulewright's language server is not running: ${reason}`);
    }
  });
  connection = own;
  const rootUri = folder() ? vscode.Uri.file(folder()).toString() : null;
  const capabilities = { textDocument: { completion: { completionItem: { snippetSupport: true } } } };
  ready = own
    .request("initialize", { processId: process.pid, rootUri, capabilities })
    .then(() => own.notify("initialized", {}));
  await ready;
  for (const document of vscode.workspace.textDocuments) opened(document);
}

// Asks the server, when it is there; nothing where it is not.
async function ask(method, params, token) {
  if (!connection) return null;
  await ready;
  return connection ? connection.request(method, params, token) : null;
}

function noticed(method, params) {
  if (method === "textDocument/publishDiagnostics") {
    diagnostics.set(vscode.Uri.parse(params.uri), params.diagnostics.map(diagnosticOf));
  } else if (method === "window/showMessage") {
    const show = params.type === 1 ? "showErrorMessage" : "showInformationMessage";
    vscode.window[show](params.message);
  }
}

function opened(document) {
  if (!connection || !isOurs(document)) return;
  connection.notify("textDocument/didOpen", {
    textDocument: {
      uri: document.uri.toString(),
      languageId: document.languageId,
      version: document.version,
      text: document.getText(),
    },
  });
}

function changed(event) {
  if (!connection || !isOurs(event.document) || !event.contentChanges.length) return;
  connection.notify("textDocument/didChange", {
    textDocument: { uri: event.document.uri.toString(), version: event.document.version },
    contentChanges: event.contentChanges.map((change) => ({
      range: { start: change.range.start, end: change.range.end },
      text: change.text,
    })),
  });
}

function closed(document) {
  if (!connection || !isOurs(document)) return;
  connection.notify("textDocument/didClose", { textDocument: { uri: document.uri.toString() } });
}

// A command of the program in a terminal, for the file that is open.
function task(name) {
  const document = vscode.window.activeTextEditor && vscode.window.activeTextEditor.document;
  const path = document ? document.uri.fsPath : ".";
  return taskOf({ type: LANGUAGE, command: name, path });
}

function taskOf(definition) {
  const [program, ...rest] = command();
  const args = [...rest, definition.command, definition.path || "."];
  const run = new vscode.ProcessExecution(program, args);
  const title = `${definition.command} ${definition.path || "this folder"}`;
  const scope = vscode.TaskScope.Workspace;
  return new vscode.Task(definition, scope, title, LANGUAGE, run, ["$rulewright"]);
}

function activate(context) {
  diagnostics = vscode.languages.createDiagnosticCollection(LANGUAGE);
  const tasks = {
    provideTasks: () => ["check", "test"].map((name) => taskOf({ type: LANGUAGE, command: name })),
    resolveTask: (given) => taskOf(given.definition),
  };
  const commands = {
    "rulewright.restart": async () => {
      const old = connection;
      connection = null;
      if (old) await old.stop();
      await start();
    },
    "rulewright.runScenario": (uri, title) =>
      ask("workspace/executeCommand", { command: "rulewright.runScenario", arguments: [uri, title] }),
    "rulewright.showReferences": (uri, at, places) =>
      vscode.commands.executeCommand(
        "editor.action.showReferences",
        vscode.Uri.parse(uri),
        new vscode.Position(at.line, at.character),
        places.map((each) => new vscode.Location(vscode.Uri.parse(each.uri), rangeOf(each.range))),
      ),
  };
  for (const name of ["check", "test", "playtest"]) {
    commands[`rulewright.${name}`] = () => vscode.tasks.executeTask(task(name));
  }
  context.subscriptions.push(
    diagnostics,
    vscode.workspace.onDidOpenTextDocument(opened),
    vscode.workspace.onDidChangeTextDocument(changed),
    vscode.workspace.onDidCloseTextDocument(closed),
    vscode.tasks.registerTaskProvider(LANGUAGE, tasks),
    ...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run)),
    ...providers(SELECTOR, ask),
  );
  return start().catch((error) => {
    vscode.window.showErrorMessage(`Rulewright's language server did not start: ${error.message}`);
  });
}

async function deactivate() {
  const old = connection;
  connection = null;
  if (old) await old.stop();
}

module.exports = { activate, deactivate };
