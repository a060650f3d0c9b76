// Starts the language server. Run 'npm install' in this folder to install the client.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const files = ["luaroute", "lua"].map((language) => ({ scheme: "file", language }));
  const command = workspace.getConfiguration("luaroute").get("command");
  client = new LanguageClient(
    "luaroute",
    { command, args: ["lsp"] },
    { documentSelector: files, initializationOptions: { trusted: workspace.isTrusted } }
  );
  return client.start();
};

exports.deactivate = () => client?.stop();
