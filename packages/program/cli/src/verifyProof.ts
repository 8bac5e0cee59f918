import { readFileSync, statSync } from "node:fs";
import type { StateKind, TrustedHash } from "@vedette/client/proof";
import type { DialectName } from "@vedette/config";
import { fromHex } from "@vedette/crypto";
import { type Command, InvalidArgumentError, Option } from "commander";
import { exitCodes } from "./exitCodes.js";
import { printError } from "./printError.js";
import { dialectOption } from "./sharedOptions.js";

/** Texts above this are refused before they are read. */
const longestProofBytes = 256 << 20;
const kinds: readonly StateKind[] = ["data", "continuations", "joins"];

interface VerifyOptions {
  readonly root?: Uint8Array;
  readonly blockHash?: Uint8Array;
  readonly name: readonly string[];
  readonly kind?: StateKind;
  readonly dialect: DialectName;
  readonly json?: boolean;
}

/** `vedette verify-proof`. @spec 30 §10.5 */
export function addVerifyProof(vedette: Command, finish: (exitCode: number) => void): void {
  vedette
    .command("verify-proof")
    .description("verify a proof of a state against a trusted hash")
    .argument("<file>", "proof, or node response with a proof, as JSON; - for the standard input")
    .addOption(new Option("--root <hex>", "trusted state root").argParser(hash))
    .addOption(new Option("--block-hash <hex>", "trusted block hash").argParser(hash).conflicts("root"))
    .option("--name <rholang>", 'quoted process of the query: \'"x"\' for @"x"', addTo, [])
    .addOption(new Option("--kind <kind>", "kind of the query").choices(kinds))
    .addOption(dialectOption("dialect of the network").default("rnode"))
    .option("--json", "print one JSON object")
    .action(async (file: string, options: VerifyOptions) => finish(await verify(file, options)));
}

async function verify(file: string, options: VerifyOptions): Promise<number> {
  const { root, blockHash, name: names, kind, dialect, json = false } = options;
  const trusted: TrustedHash | undefined =
    root !== undefined ? { root } : blockHash !== undefined ? { blockHash } : undefined;
  if (trusted === undefined) {
    printError("verify-proof needs what is trusted: --root, or --block-hash");
    return exitCodes.usage;
  }
  const text = file === "-" ? await standardInput() : readProof(file);
  const { runProgram } = await import("./runProgram.js");
  return runProgram({ command: "verify-proof", text, trusted, names, kind, dialect, json });
}

function readProof(file: string): string {
  const facts = statSync(file);
  if (facts.isDirectory()) throw new TypeError(`${file} is a directory, not a proof`);
  if (facts.size > longestProofBytes) throw tooLong(file);
  return readFileSync(file, "utf8");
}

async function standardInput(): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > longestProofBytes) throw tooLong("standard input");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function tooLong(what: string): RangeError {
  return new RangeError(`${what} has more than ${longestProofBytes} bytes, too many for a proof`);
}

function hash(text: string): Uint8Array {
  if (!/^[0-9a-fA-F]{64}$/.test(text)) throw new InvalidArgumentError("It must be 64 hexadecimal digits.");
  return fromHex(text);
}

function addTo(text: string, others: readonly string[]): readonly string[] {
  return [...others, text];
}
