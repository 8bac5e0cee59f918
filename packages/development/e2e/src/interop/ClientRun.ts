import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { patienceMs } from "@vedette/testing";
import type { ClientProgram } from "./clientPrograms.js";

/** A case for a client: calls of one method, all alike. */
export interface ClientCase {
  readonly name: string;
  readonly address: string;
  readonly service: string;
  readonly method: string;
  readonly kind: "unary" | "stream" | "both";
  /** A file with the request's bytes. */
  readonly request: string;
  readonly times: number;
  readonly atOnce: number;
  /** Between those calls that are not made at once. */
  readonly restMs: number;
  readonly deadlineMs: number;
  /** Elements after which the client breaks the call off; 0 for never. */
  readonly cancelAfter: number;
  readonly cancelAfterMs: number;
  /** The client's pause before each of this many elements. */
  readonly pauseMs: number;
  readonly pauses: number;
  /** The limit of an answer, in bytes; 0 for the library's own limit. */
  readonly receiveLimit: number;
  /** 0 for the library's own setting. */
  readonly keepAliveMs: number;
  /** Whether the first element is to be printed in full. */
  readonly shows: boolean;
}

/** How a call of a client ended. */
export interface ClientCallResult {
  /** gRPC's number. */
  readonly status: number;
  readonly text: string;
  /** The {@link digestOf} of each, written again by the client's library. */
  readonly elements: readonly string[];
  /** Hexadecimal. */
  readonly shown: string;
}

/** How a client prints a message. */
export function digestOf(message: Uint8Array): string {
  return createHash("sha256").update(message).digest("hex").slice(0, 16);
}

/**
 * Runs a client through its cases.
 *
 * @returns how the calls of each case ended, by the case's name
 * @throws Error with the client's output if it does not finish
 */
export async function runClient(
  { command: [file, ...args], name }: ClientProgram,
  cases: readonly ClientCase[],
  { folder }: { readonly folder: string },
): Promise<ReadonlyMap<string, readonly ClientCallResult[]>> {
  const path = join(folder, `${name.replaceAll(/\W+/g, "-")}-${cases[0]!.name.replaceAll(/\W+/g, "-")}.json`);
  writeFileSync(path, JSON.stringify(cases));
  const client = spawn(file, [...args, path], { stdio: ["ignore", "pipe", "pipe"] });
  // A client that hangs is killed, so that its finished cases show where: the end of the test would hide them.
  const timer = setTimeout(() => client.kill("SIGKILL"), 3 * patienceMs());
  const said: Buffer[] = [];
  const complained: Buffer[] = [];
  client.stdout.on("data", (bytes) => said.push(bytes));
  client.stderr.on("data", (bytes) => complained.push(bytes));
  const code = await new Promise((resolve, reject) => {
    client.once("error", reject);
    client.once("close", (exitCode, signal) => resolve(exitCode ?? signal));
  });
  clearTimeout(timer);
  const lines = Buffer.concat(said).toString().split("\n").filter(Boolean);
  const finished = lines.map(
    (line) => JSON.parse(line) as { readonly name: string; readonly calls: readonly ClientCallResult[] },
  );
  if (code !== 0 || finished.length !== cases.length)
    throw new Error(
      `${name} ended with ${code} after ${finished.length} of ${cases.length} cases, the next would have been ` +
        `"${cases[finished.length]?.name}":\n${Buffer.concat(complained)}`,
    );
  return new Map(finished.map(({ name: caseName, calls }) => [caseName, calls]));
}
