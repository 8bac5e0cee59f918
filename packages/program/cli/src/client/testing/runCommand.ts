import { FakeNode, type FakeServices } from "@vedette/client/fakes";
import { noColours, type Paint, type Screen } from "@vedette/terminal";
import { Command, CommanderError } from "commander";
import { addClientCommands } from "../addClientCommands.js";
import type { CommandHost } from "../CommandHost.js";

/** The private key of the tests; a command that shows it fails its test. */
export const testKey = "67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530";

/** The output of a command, and how it ended. */
export interface CommandRun {
  readonly exitCode: number | undefined;
  readonly output: string;
  readonly errors: string;
}

/** The environment of a command. */
export interface CommandEnvironment {
  readonly environment?: Readonly<Record<string, string>>;
  /** The user's answers to prompts for secrets, one after the other. */
  readonly secrets?: readonly string[];
  readonly input?: string;
  readonly isTerminal?: boolean;
  /** Colours, as the terminal has them; left out: none. */
  readonly paint?: Paint;
  readonly screen?: Screen;
  /** Receives every answer, as it is printed. */
  readonly onPrint?: (text: string) => void;
  /** Interrupts the command, as Ctrl-C does. */
  readonly signal?: AbortSignal;
}

/** Runs a command of the client in this process. */
export async function runCommand(args: readonly string[], surroundings: CommandEnvironment = {}): Promise<CommandRun> {
  let output = "";
  let errors = "";
  let exitCode: number | undefined;
  const secrets = [...(surroundings.secrets ?? [])];
  const host: CommandHost = {
    args,
    environment: surroundings.environment ?? {},
    print: (text) => {
      surroundings.onPrint?.(text);
      output += text.endsWith("\n") ? text : `${text}\n`;
    },
    note: (text) => {
      errors += `${text}\n`;
    },
    isTerminal: surroundings.isTerminal ?? false,
    paint: surroundings.paint ?? noColours,
    screen: surroundings.screen,
    promptSecret: (question) => {
      errors += `${question}\n`;
      const secret = secrets.shift();
      return secret === undefined ? Promise.reject(new Error("no secret is typed")) : Promise.resolve(secret);
    },
    readInput: () => Promise.resolve(new TextEncoder().encode(surroundings.input ?? "")),
    async *readLines() {
      for (const line of (surroundings.input ?? "").split("\n")) yield line;
    },
    finish: (code) => {
      exitCode = code;
    },
    interruption: () => ({ signal: surroundings.signal ?? new AbortController().signal, [Symbol.dispose]: () => {} }),
  };
  const vedette = new Command("vedette").exitOverride().configureOutput({
    writeOut: (text) => {
      output += text;
    },
    writeErr: (text) => {
      errors += text;
    },
  });
  addClientCommands(vedette, host);
  try {
    await vedette.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    exitCode = error.exitCode;
  }
  if ((output + errors).toLowerCase().includes(testKey)) throw new Error(`${args[0]} shows the private key`);
  return { exitCode, output, errors };
}

/** Runs a command against a node that answers as a test defines. */
export async function runOnFake(
  services: FakeServices,
  args: readonly string[],
  surroundings: CommandEnvironment = {},
): Promise<CommandRun> {
  await using node = await FakeNode.start(services);
  const run = await runCommand([...args, "-H", node.host, "-p", String(node.port)], surroundings);
  return { ...run, output: run.output.replaceAll(new RegExp(`\\b${node.port}\\b`, "g"), "<port>") };
}
