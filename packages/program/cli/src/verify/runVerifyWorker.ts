import { hostname } from "node:os";
import { readConfig } from "@vedette/config";
import { openReadOnly, openStoredHistory } from "@vedette/node/data";
import { JetStreamQueue, VerifyWorker, type WorkerEvent } from "@vedette/replication/stream";
import { exitCodes } from "../exitCodes.js";
import { stopOnSignals } from "../processSignals.js";
import { configSourcesOf, type GivenOptions as Given, textOf } from "../runOptions.js";
import { natsOptionsOf } from "../sharedOptions.js";

/** The lease of a queue that is not there yet. */
export const usualLeaseMs = 30_000;

/**
 * Verifies until it is ended.
 *
 * @returns the exit code
 * @throws {StreamError}, {CommandError}, {ConfigError}, {StoreError} with what to do
 */
export async function runVerifyWorker(
  given: Given,
  print: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
): Promise<number> {
  const { config } = readConfig(configSourcesOf(given));
  const dataDir = config["storage.data-dir"];
  const nats = natsOptionsOf(given);
  const isJson = given["json"] === true;
  // A data directory that cannot be used fails here, before a task is taken.
  await (await openReadOnly(dataDir))[Symbol.asyncDispose]();
  const stop = stopOnSignals((text) => isJson || print(text));
  const network = config["protocol-server.network-id"];
  await using queue = new JetStreamQueue({ network, leaseMs: usualLeaseMs }, nats);
  const worker = new VerifyWorker({
    ...{ network, queue, worker: textOf(given, "name") ?? `${hostname()}/${process.pid}` },
    openJudge: () => openStoredHistory(dataDir, config),
    emit: (event) => print(isJson ? jsonOf(event) : lineOf(event, queue.label)),
  });
  await worker.run(stop.signal);
  return stop.signal.aborted ? stop.exitCode() : exitCodes.success;
}

function lineOf(event: WorkerEvent, servers: string): string {
  switch (event.type) {
    case "begun":
      return `Taking tasks from ${servers}`;
    case "took":
      return `Blocks #${event.from} to #${event.to}${event.deliveries > 1 ? `, taken for the ${event.deliveries}th time` : ""}`;
    case "gaveBack":
      return `Blocks from #${event.from} on cannot be verified here, and are left to others: ${event.reason}`;
    case "failed":
      return event.waitMs === 0 ? event.error.message : `${event.error.message}; retry in ${event.waitMs} ms`;
    case "verified": {
      const { from, to, blocks, outcome, finding } = event.result;
      const range = `blocks #${from} to #${to}`;
      if (outcome === "verified") return `Verified ${range}: ${blocks} in ${(event.ms / 1_000).toFixed(1)} s`;
      const what = outcome === "differs" ? "ALARM: of" : "No worker could verify";
      return `${what} ${range}, block ${finding?.hash}: ${finding?.reason}`;
    }
  }
}

function jsonOf(event: WorkerEvent): string {
  return JSON.stringify(event.type === "failed" ? { ...event, error: event.error.message } : event);
}
