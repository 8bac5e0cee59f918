import { readConfig } from "@vedette/config";
import { FinalBlocks, openReadOnly } from "@vedette/node/data";
import {
  type CoordinatorEvent,
  JetStreamQueue,
  VerifyCoordinator,
  type VerifyProgress,
} from "@vedette/replication/stream";
import { exitCodes } from "../exitCodes.js";
import { stopOnSignals } from "../processSignals.js";
import { configSourcesOf, countOf, type GivenOptions as Given } from "../runOptions.js";
import { natsOptionsOf } from "../sharedOptions.js";
import { usualLeaseMs } from "./runVerifyWorker.js";

const usualHeights = 64;

/**
 * Hands out tasks and reports how far the chain is verified, until it is ended.
 *
 * @returns the exit code: failure where something is not verified and `--once` was given
 * @throws {StreamError}, {CommandError}, {ConfigError}, {StoreError} with what to do
 */
export async function runVerifyHistory(
  given: Given,
  print: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
): Promise<number> {
  const { config } = readConfig(configSourcesOf(given));
  const nats = natsOptionsOf(given);
  const heights = countOf(given, "--task-size", 4_096) ?? usualHeights;
  const seconds = countOf(given, "--lease", 86_400);
  const leaseMs = seconds === undefined ? usualLeaseMs : seconds * 1_000;
  const isJson = given["json"] === true;
  const isOnce = given["once"] === true;
  await using data = await openReadOnly(config["storage.data-dir"]);
  const stop = stopOnSignals((text) => isJson || print(text));
  const network = config["protocol-server.network-id"];
  await using queue = new JetStreamQueue({ network, leaseMs }, nats);
  if (given["restart"] === true) {
    await queue.open();
    await queue.clear();
  }
  const coordinator = new VerifyCoordinator({
    ...{ network, chain: new FinalBlocks(data), queue, heights, isOnce },
    emit: (event) => print(isJson ? jsonOf(event) : lineOf(event)),
  });
  const last = await coordinator.run(stop.signal);
  if (stop.signal.aborted) return stop.exitCode();
  return last !== undefined && last.segments.verified > 0 && isAllVerified(last)
    ? exitCodes.success
    : exitCodes.failure;
}

function isAllVerified({ segments }: VerifyProgress): boolean {
  return segments.differing + segments.unverified + segments.left === 0;
}

function lineOf(event: CoordinatorEvent): string {
  switch (event.type) {
    case "begun":
      return `Blocks #${event.from} to #${event.finalized} are to be verified, and what becomes final`;
    case "failed":
      return event.waitMs === 0 ? event.error.message : `${event.error.message}; retry in ${event.waitMs} ms`;
    case "differs": {
      const { worker, finding, from, to } = event.result;
      return `ALARM: block ${finding?.hash} (of #${from} to #${to}) does not match its statements, by worker ${worker}: ${finding?.reason}. Either the chain that this node follows is wrong, or that worker; have another one verify with --restart.`;
    }
    case "unverified": {
      const { worker, finding, from, to } = event.result;
      return `Blocks #${from} to #${to} could not be verified, last by ${worker}: block ${finding?.hash}: ${finding?.reason}`;
    }
    case "progress": {
      const { from, verifiedTo, finalized, segments } = event.progress;
      const whole = verifiedTo === null ? "Nothing is verified yet" : `Verified from #${from} to #${verifiedTo}`;
      return `${whole}; final is #${finalized}; tasks: ${segments.verified} verified, ${segments.left} left, ${segments.differing} differing, ${segments.unverified} not to be verified`;
    }
  }
}

function jsonOf(event: CoordinatorEvent): string {
  return JSON.stringify(event.type === "failed" ? { ...event, error: event.error.message } : event);
}
