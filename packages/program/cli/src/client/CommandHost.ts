import { once } from "node:events";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { canPaint, coloursOf, type Paint, type Screen } from "@vedette/terminal";
import { CommandError } from "./CommandError.js";

/** The parts of the process that a command uses. */
export interface CommandHost {
  /** The command line as it was typed. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Prints the answer. */
  readonly print: (text: string) => void;
  /** Prints errors, and what is going on while the user waits. */
  readonly note: (text: string) => void;
  /** Whether people read the answers: then hashes are short. */
  readonly isTerminal: boolean;
  /** Colours, where there are any. */
  readonly paint: Paint;
  /** Where a view can be painted again and again. */
  readonly screen?: Screen | undefined;
  /** Prompts for a secret without showing the typed text. */
  readonly promptSecret: (question: string) => Promise<string>;
  readonly readInput: () => Promise<Uint8Array>;
  /** The user's input, line by line; on a terminal after a prompt. Ends with the input, or at the signal. */
  readonly readLines: (prompt: string, signal: AbortSignal) => AsyncIterable<string>;
  readonly finish: (exitCode: number) => void;
  /** Ends when the user interrupts; the handlers go with the disposal. */
  readonly interruption: () => Disposable & { readonly signal: AbortSignal };
}

/** The process itself. */
export const processHost: CommandHost = {
  args: process.argv.slice(2),
  environment: process.env,
  print: (text) => process.stdout.write(text.endsWith("\n") ? text : `${text}\n`),
  note: (text) => process.stderr.write(`${text}\n`),
  isTerminal: process.stdout.isTTY === true,
  paint: coloursOf(process.stdout, process.env),
  screen: canPaint(process.stdout, process.env) ? process.stdout : undefined,
  promptSecret,
  readInput,
  readLines,
  finish: (exitCode) => {
    process.exitCode = exitCode;
  },
  interruption() {
    const controller = new AbortController();
    const stop = () => controller.abort();
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    return {
      signal: controller.signal,
      [Symbol.dispose]() {
        process.off("SIGINT", stop);
        process.off("SIGTERM", stop);
      },
    };
  },
};

async function promptSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) throw new CommandError({ code: "noTerminal" });
  process.stderr.write(question);
  // The echo of readline goes nowhere.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  // In raw mode the terminal sends no signal; readline sees the key instead.
  const ended = new AbortController();
  lines.on("SIGINT", () => lines.close());
  lines.on("close", () => ended.abort());
  try {
    const [line] = (await once(lines, "line", { signal: ended.signal })) as [string];
    return line;
  } catch {
    throw new CommandError({ code: "noPassword" });
  } finally {
    process.stderr.write("\n");
    lines.close();
  }
}

async function* readLines(prompt: string, signal: AbortSignal): AsyncGenerator<string> {
  const { stdin: input, stdout: output } = process;
  const isTerminal = input.isTTY && output.isTTY;
  const lines = createInterface(isTerminal ? { input, output, prompt, terminal: true } : { input, terminal: false });
  const end = () => lines.close();
  // In raw mode the terminal sends no signal; readline sees the key instead.
  lines.on("SIGINT", end);
  signal.addEventListener("abort", end, { once: true });
  try {
    if (isTerminal) lines.prompt();
    for await (const line of lines) {
      yield line;
      if (isTerminal) lines.prompt();
    }
  } finally {
    signal.removeEventListener("abort", end);
    lines.close();
  }
}

const largestInput = 16_777_216;

async function readInput(): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of process.stdin as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > largestInput)
      throw new CommandError({ code: "inputTooLarge", name: "standard input", limit: largestInput });
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Where the user keeps the API key that a node's operator has given out. */
const apiKeyVariable = "VEDETTE_API_KEY";

/** Returns the headers of each request to a node. @spec 50 §1.17 */
export function apiKeyHeaders({ environment }: CommandHost): Readonly<Record<string, string>> {
  const key = environment[apiKeyVariable]?.trim() ?? "";
  return key === "" ? {} : { "x-api-key": key };
}
