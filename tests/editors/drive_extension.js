// Plays an editor: activates the extension, opens a file, edits it, asks this and that, and prints
// what came out as JSON. Arguments: the folder of the extension, the file.
"use strict";

const fs = require("node:fs");
const Module = require("node:module");
const fake = require("./fake_vscode.js");

const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? fake : load(name, ...rest));

const [extensionFolder, path] = process.argv.slice(2);
const extension = require(`${extensionFolder}/src/extension.js`);
const uri = fake.Uri.file(path);
const document = {
  uri, languageId: "rulewright", version: 1, text: fs.readFileSync(path, "utf8"),
  getText() {
    return this.text;
  },
};
const at = (marked) => {
  const [before, after] = marked.split("|");
  const offset = document.text.indexOf(before + after) + before.length;
  const lines = document.text.slice(0, offset).split("\n");
  return new fake.Position(lines.length - 1, lines[lines.length - 1].length);
};
const said = async () => {
  fake.sets.delete(uri.toString());
  for (let tries = 0; tries < 500; tries++) {
    if (fake.sets.has(uri.toString())) return fake.sets.get(uri.toString());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("nothing was said");
};

async function main() {
  await extension.activate({ subscriptions: [] });
  fake.listeners.open(document);
  const before = (await said()).length;
  const end = at(document.text.slice(-20) + "|");
  const added = "rule gift: after landing by player on space: Go\n    pay 1 from bnk to player\n";
  document.text += added;
  document.version += 1;
  const change = { range: { start: end, end }, text: added };
  fake.listeners.change({ document, contentChanges: [change] });
  const found = await said();
  const of = fake.registered;
  const hover = await of.Hover.provideHover(document, at("    pa|y 1 from bnk"));
  const items = await of.CompletionItem.provideCompletionItems(document, at("    pa|y 1 from bnk"));
  const edits = await of.Rename.provideRenameEdits(document, at("rule gi|ft"), "present");
  const refused = await of.Rename.prepareRename(document, at("    pa|y 1 from bnk")).catch((e) => e.message);
  const tokens = await of.DocumentSemanticTokens.provideDocumentSemanticTokens(document);
  const symbols = await of.DocumentSymbol.provideDocumentSymbols(document);
  const actions = await of.CodeActions.provideCodeActions(document, found[0].range);
  const task = await of["rulewright.check"]();
  await extension.deactivate();
  console.log(JSON.stringify({
    before,
    codes: found.map((each) => [each.code, each.severity, each.range.start.line]),
    hover: hover.contents.value,
    item: items.find((item) => item.label === "pay"),
    edits: edits.edits,
    refused,
    tokens: tokens.data.length,
    symbols: symbols.map((symbol) => symbol.name),
    actions: actions.map((action) => action.title),
    task: [task.execution.process, task.execution.args],
    messages: fake.window.messages,
  }));
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
