// biome-ignore lint/correctness/noUndeclaredDependencies: the editor itself is this module
import { commands, type ExtensionContext, window, workspace } from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";

/** The dialect of a server without settings, also of older ones. */
const usualDialect = "rnode";

let client: LanguageClient | undefined;

/** Called by the editor when a file of Rholang is opened. */
export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand("vedette.restart", start),
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("vedette")) void start();
    }),
  );
  await start();
}

/** Called by the editor when it ends. */
export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function start(): Promise<void> {
  await client?.stop();
  const settings = workspace.getConfiguration("vedette");
  const [command = "vedette", ...args] = settings.get<string[]>("command", []);
  const dialect = settings.get<string>("dialect", usualDialect);
  const spoken = dialect === usualDialect ? [] : [`--dialect=${dialect}`];
  const run = { command, args: [...args, ...spoken], transport: TransportKind.stdio };
  client = new LanguageClient("vedette", "Rholang", run, { documentSelector: [{ language: "rholang" }] });
  try {
    await client.start();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(
      `The language server cannot be started (${command}): ${reason}. Install Vedette, or set vedette.command.`,
    );
  }
}
