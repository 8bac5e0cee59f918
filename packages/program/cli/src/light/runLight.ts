import { toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Checkpoint, createLightClient, type UpdateOutcome } from "@vedette/light";
import { escapeControls, plainText } from "@vedette/terminal";
import { CommandError } from "../client/CommandError.js";
import { exitCodes } from "../exitCodes.js";
import { WholeFile } from "../WholeFile.js";
import { createLightApi } from "./createLightApi.js";
import { readCheckpointFile } from "./readCheckpointFile.js";
import { checkpointPath } from "./releasedCheckpoints.js";

/** The options of `vedette light`. */
export interface LightCommand {
  /** Path of the checkpoint, or the name of a network of the release. */
  readonly file: string;
  readonly servers: readonly string[];
  readonly port: number;
  readonly maxAgeMs: number | undefined;
  readonly everyMs: number;
  /** Whether the file is kept at the newest verified block. */
  readonly save: boolean;
  readonly json: boolean;
}

/** Follows a chain, and serves what it verifies, until the signal. @returns the exit code @spec 70 §11 */
export async function runLight(command: LightCommand, signal: AbortSignal): Promise<number> {
  const { file, servers, port, maxAgeMs, everyMs } = command;
  try {
    const checkpoint = readCheckpointFile(file);
    if (command.save && checkpointPath(file) !== file)
      throw new CommandError({
        code: "badArgument",
        name: "--save",
        expected: "a --checkpoint that is a file of yours",
      });
    const client = await createLightClient({ checkpoint, servers, maxAgeMs, signal });
    const server = createLightApi(client);
    try {
      await server.listen({ host: "127.0.0.1", port });
      const address = server.server.address();
      if (typeof address === "object" && address !== null)
        print(
          command,
          { type: "listening", port: address.port },
          `Serving verified data at http://127.0.0.1:${address.port}`,
        );
      for await (const outcome of client.follow({ everyMs, signal })) {
        reportOutcome(command, outcome);
        if (outcome.isNewer && command.save) writeCheckpoint(file, client.checkpoint);
      }
    } finally {
      await server.close();
    }
    return exitCodes.success;
  } catch (error) {
    if (signal.aborted) return exitCodes.success;
    process.stderr.write(`${plainText(`vedette: ${errorText(error)}`)}\n`);
    return exitCodes.failure;
  }
}

function reportOutcome(
  command: LightCommand,
  { trusted, isNewer, servers, conflict, doubled, clockBehindMs }: UpdateOutcome,
) {
  const hash = toHex(trusted.hash);
  if (isNewer)
    print(
      command,
      { type: "verified", blockHash: hash, blockNumber: Number(trusted.number) },
      `Verified block ${trusted.number} (${hash})`,
    );
  for (const { url, state, reason } of servers)
    if (state !== "agrees") print(command, { type: "server", url, state, reason }, `${url}: ${state}: ${reason}`);
  for (const { validator, first, second } of doubled) {
    const facts = { validator: toHex(validator), first: toHex(first), second: toHex(second) };
    print(
      command,
      { type: "doubled", ...facts },
      `Validator ${facts.validator} signed two blocks of one number: ${facts.first}, ${facts.second}`,
    );
  }
  if (conflict !== undefined)
    print(
      command,
      { type: "conflict", one: toHex(conflict.one.target.hash), other: toHex(conflict.other.target.hash) },
      `Two chains have valid evidence: ${toHex(conflict.one.target.hash)}, ${toHex(conflict.other.target.hash)}. Block ${trusted.number} stays the newest verified one`,
    );
  if (clockBehindMs > 0)
    print(
      command,
      { type: "clockBehind", ms: clockBehindMs },
      `The clock of this machine is behind by ${clockBehindMs} ms or more`,
    );
}

function writeCheckpoint(file: string, checkpoint: Checkpoint): void {
  using whole = new WholeFile(file);
  whole.write(`${JSON.stringify(checkpoint, undefined, 2)}\n`);
  whole.done();
}

function print({ json }: LightCommand, event: object, text: string): void {
  process.stdout.write(`${json ? escapeControls(JSON.stringify(event)) : plainText(text)}\n`);
}
