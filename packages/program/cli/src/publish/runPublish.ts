import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Config, readConfig } from "@vedette/config";
import { nodeIdOfCertificate, toHex } from "@vedette/crypto";
import { findOutcome, mergeableIdOf } from "@vedette/execution";
import { openReadOnly } from "@vedette/node/data";
import { isDirectoryLocked, stopWithParent } from "@vedette/node/machine";
import { EventLog } from "@vedette/queries/events";
import {
  CursorFile,
  closeAfter,
  JetStreamPort,
  type NatsOptions,
  Publisher,
  type PublisherEvent,
  StreamError,
  StreamNames,
} from "@vedette/replication/stream";
import { StateStore } from "@vedette/tuplespace";
import { CommandError } from "../client/CommandError.js";
import { exitCodes } from "../exitCodes.js";
import { configSourcesOf, countOf, type GivenOptions as Given, textOf } from "../runOptions.js";
import { natsOptionsOf } from "../sharedOptions.js";

/** Between two lines about how far it is. */
const reportMs = 10_000;

/**
 * Publishes until it is ended.
 *
 * @returns the exit code
 * @throws {StreamError}, {CommandError}, {ConfigError}, {StoreError} with what to do
 */
export async function runPublish(
  given: Given,
  print: (line: string) => void = (line) => void process.stdout.write(`${line}\n`),
): Promise<number> {
  const config = readConfig(configSourcesOf(given)).config;
  const dataDir = config["storage.data-dir"];
  const options = publishOptions(given);
  const controller = new AbortController();
  const stop = () => controller.abort();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  stopWithParent(stop);
  try {
    await using data = await openReadOnly(dataDir);
    const network = config["protocol-server.network-id"];
    await using port = new JetStreamPort(new StreamNames(network), options);
    using _closing = closeAfter(controller.signal, port);
    if (data.chain.table("eventLog").count() === 0) throw new StreamError({ code: "noLog", path: dataDir });
    // It is only read here, and begun by the node.
    const log = new EventLog({ store: data.chain, newId: () => randomBytes(8), hasOneParent: true });
    const emit = given["json"] === true ? (event: PublisherEvent) => print(jsonOf(event)) : linesTo(print, port.label);
    const publisher = new Publisher({
      ...{
        network,
        dialect: data.dialect.name,
        publisher: textOf(given, "name") ?? publisherOf(config),
        blocks: data.blocks,
        states: new StateStore(data.state, { form: data.form }),
        findOutcome: (block) => findOutcome(data.state, mergeableIdOf(block)),
        log,
        port,
      },
      cursor: new CursorFile(textOf(given, "cursor") ?? join(dataDir, "published.json")),
      isNodeRunning: () => isDirectoryLocked(dataDir),
      refresh: () => {
        data.chain.refresh();
        data.state.refresh();
      },
      emit,
    });
    await publisher.run(controller.signal);
    return exitCodes.success;
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
  }
}

/** Prints events as lines for people: progress now and then, problems at once. */
function linesTo(print: (line: string) => void, servers: string): (event: PublisherEvent) => void {
  let [reportedAtMs, messages, first] = [0, 0, 0];
  return (event) => {
    switch (event.type) {
      case "begun":
        return print(`Publishing to ${servers}: ${event.newest - event.entry} events pending`);
      case "failed":
        return print(`${event.error.message}; retry in ${event.waitMs} ms`);
      case "gap":
        return print(
          `Events ${event.from} to ${event.to} are no longer stored. They are missing in the stream unless another publisher has them; consumers need a newer snapshot.`,
        );
      case "purged":
        return print(`Messages were removed from the stream early: republishing up to event ${event.upTo}.`);
      case "occupied":
        return print(`Invalid message on ${event.subject}: published the valid one beside it.`);
      case "differs":
        return print(
          `ALARM: block ${toHex(event.hash)} is ${event.own} here, but not for publisher ${event.by}. One of the two nodes is wrong: compare their logs.`,
        );
      case "published": {
        messages += 1;
        if (event.isFirst) first += 1;
        const nowMs = performance.now();
        if (reportedAtMs > 0 && nowMs - reportedAtMs < reportMs) return;
        reportedAtMs = nowMs;
        return print(`${messages} messages, ${first} of them first; last block ${toHex(event.hash)}`);
      }
    }
  };
}

function jsonOf(event: PublisherEvent): string {
  const { hash, error, ...others } = event as PublisherEvent & { hash?: Uint8Array; error?: Error };
  return JSON.stringify({
    ...others,
    ...(hash === undefined ? {} : { hash: toHex(hash) }),
    ...(error === undefined ? {} : { error: error.message }),
  });
}

/** The node's id; a name of the machine where it has none. */
function publisherOf(config: Config): string {
  const path = config["tls.certificate-path"];
  return existsSync(path) ? toHex(nodeIdOfCertificate(readFileSync(path, "utf8"))) : hostname().slice(0, 64);
}

/** @throws {CommandError} `badArgument` */
function publishOptions(given: Given): NatsOptions {
  if (!/^\S{1,64}$/.test(textOf(given, "name") ?? "one"))
    throw new CommandError({ code: "badArgument", name: "--name", expected: "1 to 64 characters, none of them space" });
  const replicas = countOf(given, "--replicas", 5) ?? 1;
  return { ...natsOptionsOf(given), replicas, keptDays: countOf(given, "--keep-days", 36_500) ?? 7 };
}
