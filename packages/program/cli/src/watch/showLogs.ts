import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { printJson } from "@vedette/api";
import { plainText } from "@vedette/terminal";
import type { CommandAnswer } from "../client/CommandAnswer.js";
import { CommandError } from "../client/CommandError.js";
import type { CommandHost } from "../client/CommandHost.js";
import { type Options, textOption } from "../client/NodeCommand.js";
import { exitCodes } from "../exitCodes.js";

const pollMs = 250;
/** Only the end of a long log is searched. */
const maxBytes = 4 << 20;

/** `vedette logs [node]`. */
export async function showLogs(
  host: CommandHost,
  options: Options,
  { argument, signal }: { readonly argument: string | undefined; readonly signal: AbortSignal },
): Promise<CommandAnswer | undefined> {
  const { readNetworkNodes } = await import("@vedette/devtools/devnet");
  const directory = String(options["dir"]);
  const names = readNetworkNodes(directory).map(({ name }) => name);
  if (argument !== undefined && !names.includes(argument))
    throw new CommandError({
      code: "badArgument",
      name: `${argument} is no node of the network: it`,
      expected: names.join(", "),
    });
  const chosen = argument === undefined ? names : [argument];
  const wanted = textOption(options, "grep");
  const say = (name: string, line: string) => {
    if (wanted !== undefined && !line.includes(wanted)) return;
    const text = plainText(line).replaceAll("\t", " ");
    if (options["json"] === true) host.print(printJson({ node: name, line: text }));
    else host.print(chosen.length === 1 ? text : `${host.paint("cyan", name.padEnd(10))} ${text}`);
  };
  const logs = chosen.map((name) => new LogTail(join(directory, name, "node.log"), (line) => say(name, line)));
  for (const log of logs) log.print(Number(options["lines"]));
  if (options["follow"] !== true) return undefined;
  while (!signal.aborted) {
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    for (const log of logs) log.print();
  }
  return { text: "", json: null, exitCode: exitCodes.interrupted, isPrinted: true };
}

/** The end of a file that grows, and is put aside for a new one when it is long. */
class LogTail {
  readonly #path: string;
  readonly #say: (line: string) => void;
  #inode: number | undefined;
  #offset = 0;
  #rest = "";

  constructor(path: string, say: (line: string) => void) {
    this.#path = path;
    this.#say = say;
  }

  /** Prints the new lines. @param last maximum number of lines, counted from the end */
  print(last?: number): void {
    let file: number;
    try {
      file = openSync(this.#path, "r");
    } catch {
      // A node that has not been started has no log yet.
      return;
    }
    try {
      const { ino, size } = fstatSync(file);
      if (ino !== this.#inode || size < this.#offset) this.#offset = 0;
      this.#inode = ino;
      const start = Math.max(this.#offset, size - maxBytes);
      const bytes = Buffer.alloc(size - start);
      const read = readSync(file, bytes, 0, bytes.length, start);
      this.#offset = start + read;
      const lines = (this.#rest + bytes.toString("utf8", 0, read)).split("\n");
      this.#rest = lines.pop()!.slice(0, maxBytes);
      for (const line of last === undefined ? lines : lines.slice(-last)) this.#say(line);
    } finally {
      closeSync(file);
    }
  }
}
