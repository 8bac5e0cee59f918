import { readConfig } from "@vedette/config";
import { info } from "@vedette/config/log";
import { runReplica } from "@vedette/node/run";
import { openPlace } from "@vedette/replication/snapshot";
import type { QuorumRule } from "@vedette/replication/stream";
import { CommandError } from "../client/CommandError.js";
import { createNodeRunContext, forgetSecrets } from "../createNodeRunContext.js";
import { givenCheckpoint } from "../light/readCheckpointFile.js";
import { configSourcesOf, countOf, type GivenOptions as Given, textOf } from "../runOptions.js";
import { sharedCounterOf } from "../sharedCounter.js";
import { natsOptionsOf } from "../sharedOptions.js";
import { bootstrapFromSnapshot } from "./bootstrapFromSnapshot.js";
import { followStream } from "./followStream.js";

/**
 * Runs a replica until SIGINT or SIGTERM; with a snapshot it begins there where its data directory is empty.
 *
 * @returns the exit code
 * @throws {StreamError}, {SnapshotError}, {CommandError}, {ConfigError}, {DataDirectoryError} with what to do
 */
export async function runReplicaCommand(given: Given): Promise<number> {
  const nats = natsOptionsOf(given);
  const snapshot = textOf(given, "snapshot");
  const checkpoint = givenCheckpoint(given);
  if (checkpoint !== undefined && snapshot === undefined)
    throw new CommandError({ code: "missingArgument", expected: "--snapshot: only a snapshot begins at a checkpoint" });
  const block = textOf(given, "block") ?? checkpoint?.blockHash;
  if (snapshot !== undefined && block === undefined)
    throw new CommandError({
      ...{ code: "missingArgument", expected: "--block, the hash of the snapshot's block, or --checkpoint" },
    });
  if (block !== undefined && !/^[0-9a-f]{64}$/.test(block))
    throw new CommandError({ code: "badArgument", name: "--block", expected: "a whole block hash, 64 hex digits" });
  const quorum = quorumOf(given);
  const sources = configSourcesOf(given);
  forgetSecrets();
  const read = readConfig(sources);
  const { config } = read;
  const { log, stop, ...surroundings } = createNodeRunContext(sources, read);
  if (snapshot !== undefined) {
    const place = await openPlace(snapshot, { endpoint: textOf(given, "endpoint"), region: textOf(given, "region") });
    const restoring = { place, trusted: block!, checkpoint, maker: textOf(given, "createdBy"), settings: config };
    if (!(await bootstrapFromSnapshot({ ...restoring, log, signal: stop.signal }))) {
      log(info("Stopped. The next start goes on with the snapshot."));
      return stop.exitCode();
    }
  }
  const network = config["protocol-server.network-id"];
  // A snapshot's block was checked when it was restored.
  const beginning = snapshot === undefined ? block : undefined;
  const follow = followStream({ network, nats, log, quorum, beginning });
  await using sharedCounter = await sharedCounterOf(config);
  await runReplica({ ...surroundings, config, log, signal: stop.signal, follow, sharedCounter });
  log(info("Stopped."));
  return stop.exitCode();
}

/** No more than these are named. */
const maxPublishers = 64;

/** @throws {CommandError} `badArgument` */
function quorumOf(given: Given): QuorumRule | undefined {
  const needed = countOf(given, "--quorum", maxPublishers);
  const publishers = textOf(given, "publishers")
    ?.split(",")
    .map((id) => id.trim());
  if (publishers === undefined) return needed === undefined ? undefined : { needed };
  const count = new Set(publishers).size;
  if (publishers.some((id) => !/^\S{1,64}$/.test(id)) || count < (needed ?? 1) || count > maxPublishers)
    throw new CommandError({
      ...{ code: "badArgument", name: "--publishers" },
      expected: `ids of at least as many publishers as --quorum requires, at most ${maxPublishers}`,
    });
  return { needed: needed ?? 1, publishers };
}
