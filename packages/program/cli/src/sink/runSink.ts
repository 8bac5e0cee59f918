import type { EventKind } from "@vedette/api";
import { HttpClient } from "@vedette/client";
import {
  DeliveryCursorFile,
  type ForwardEvent,
  Forwarder,
  JetStreamSink,
  KafkaSink,
  type Ordering,
  readOrMakeSecrets,
  type Sink,
  SummarizedSink,
  type saslMechanisms,
  WebhookSink,
} from "@vedette/replication/sinks";
import { plainText } from "@vedette/terminal";
import { CommandError } from "../client/CommandError.js";
import type { CommandHost } from "../client/CommandHost.js";
import { apiKeyHeaders } from "../client/CommandHost.js";
import { resolveHttpUrl } from "../context/nodePlace.js";
import { exitCodes } from "../exitCodes.js";
import { stopOnSignals } from "../processSignals.js";
import { countOf, type GivenOptions, textOf } from "../runOptions.js";
import { natsOptionsOf } from "../sharedOptions.js";

export type SinkKind = "webhook" | "nats" | "kafka";

/** Between two lines about how far it is. */
const reportMs = 10_000;

/**
 * `vedette sink`: hands events on until it is ended.
 *
 * @returns the exit code
 * @throws {SinkError}, {ClientError}, {CommandError} with what to do
 */
export async function runSink(
  kind: SinkKind,
  host: CommandHost,
  options: Readonly<Record<string, unknown>>,
): Promise<number> {
  const given = options as GivenOptions;
  const isJson = given["json"] === true;
  const say = (text: string) => {
    if (!isJson) host.print(plainText(text));
  };
  const listOf = (name: string) => options[name] as readonly string[] | undefined;
  const url = resolveHttpUrl(host, options);
  const note = new DeliveryCursorFile(textOf(given, "cursor")!);
  await using sink = sinkOf(kind, given, { environment: host.environment, say });
  const client = new HttpClient({ url, headers: apiKeyHeaders(host) });
  const stop = stopOnSignals(say);
  const receiver =
    options["summaries"] === true
      ? new SummarizedSink(sink, (id, signal) => client.deployStatus(id, { signal }))
      : sink;
  const lines = linesTo(say, { url, note: note.path });
  const forwarder = new Forwarder({
    ...{ sink: receiver, note, beginning: textOf(given, "after")!, ordering: options["order"] as Ordering },
    follow: (after, signal) =>
      client.events({
        ...{ after, signal, giveUpAfterMs: Number.POSITIVE_INFINITY },
        kinds: listOf("kind") as readonly EventKind[] | undefined,
        deployers: listOf("deployer") ?? [],
        addresses: listOf("address") ?? [],
        names: listOf("name") ?? [],
        onDisconnect: ({ message }) =>
          isJson ? host.print(JSON.stringify({ type: "nodeLost", reason: message })) : say(`${message}; trying again`),
      }),
    emit: isJson ? (event) => host.print(jsonOf(event)) : lines.print,
  });
  await forwarder.run(stop.signal);
  lines.end();
  return stop.signal.aborted ? stop.exitCode() : exitCodes.success;
}

interface SinkSurroundings {
  readonly environment: CommandHost["environment"];
  readonly say: (text: string) => void;
}

/** @throws {SinkError}, {CommandError} */
function sinkOf(kind: SinkKind, given: GivenOptions, { environment, say }: SinkSurroundings): Sink {
  switch (kind) {
    case "webhook":
      return webhookSink(given, say);
    case "nats":
      return natsSink(given);
    case "kafka":
      return kafkaSink(given, environment);
  }
}

function webhookSink(given: GivenOptions, say: SinkSurroundings["say"]): Sink {
  const url = textOf(given, "url")!;
  if (!/^https?:\/\/\S+$/.test(url) || !URL.canParse(url))
    throw badArgument("--url", "a URL such as https://example.com/hook");
  const path = textOf(given, "secretFile") ?? "webhook-secret";
  const { keys, isNew } = readOrMakeSecrets(path);
  if (isNew) say(`${path} was made; with the secret in it, the receiver can verify that a call is from this sink`);
  return new WebhookSink({ url, keys, maxConcurrent: countOf(given, "--concurrency", 64) ?? 8 });
}

function natsSink(given: GivenOptions): Sink {
  const [stream, prefix] = [textOf(given, "stream") ?? "VEDETTE_EVENTS", textOf(given, "subject") ?? "vedette-events"];
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(stream)) throw badArgument("--stream", "letters, digits, hyphens, low lines");
  if (!/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+){0,7}$/.test(prefix) || prefix.length > 128)
    throw badArgument("--subject", "words of letters, digits, hyphens, low lines, with dots between them");
  const kept = { keptDays: countOf(given, "--keep-days", 36_500) ?? 7, replicas: countOf(given, "--replicas", 5) ?? 1 };
  return new JetStreamSink({ ...natsOptionsOf(given), ...kept, stream, prefix });
}

function kafkaSink(given: GivenOptions, environment: SinkSurroundings["environment"]): Sink {
  const brokers = (textOf(given, "brokers") ?? "localhost:9092").split(",").map((broker) => broker.trim());
  if (!brokers.every((broker) => /^\S+:\d{1,5}$/.test(broker))) throw badArgument("--brokers", "host:port");
  const topic = textOf(given, "topic") ?? "vedette-events";
  if (!/^[A-Za-z0-9._-]{1,249}$/.test(topic)) throw badArgument("--topic", "letters, digits, dots, hyphens, low lines");
  const { KAFKA_USER: username, KAFKA_PASSWORD: password } = environment;
  const mechanism = textOf(given, "sasl") as (typeof saslMechanisms)[number] | undefined;
  if (mechanism !== undefined && (username === undefined || password === undefined))
    throw badArgument("--sasl", "beside it KAFKA_USER and KAFKA_PASSWORD in the environment");
  return new KafkaSink({
    ...{ brokers, topic, tls: given["tls"] === true, tlsCa: textOf(given, "tlsCa") },
    ...{ tlsCertificate: textOf(given, "tlsCert"), tlsKey: textOf(given, "tlsKey") },
    sasl: mechanism && { mechanism, username: username!, password: password! },
  });
}

function badArgument(name: string, expected: string): CommandError {
  return new CommandError({ code: "badArgument", name, expected });
}

/** Prints events as lines for people: progress now and then, problems at once. */
function linesTo(
  say: (text: string) => void,
  { url, note }: { readonly url: string; readonly note: string },
): { readonly print: (event: ForwardEvent) => void; readonly end: () => void } {
  let [reportedAtMs, events, shown] = [0, 0, 0];
  const count = (last: string) => {
    shown = events;
    say(`${events} ${events === 1 ? "event" : "events"} handed on${last}`);
  };
  const print = (event: ForwardEvent) => {
    switch (event.type) {
      case "begun":
        return say(`Events of ${url} go to ${event.sink}, from ${event.after} on; its position is stored in ${note}`);
      case "failed":
        return say(`${event.error.message}; retry in ${event.waitMs} ms`);
      case "delivered": {
        events += event.events;
        const nowMs = performance.now();
        if (reportedAtMs > 0 && nowMs - reportedAtMs < reportMs) return;
        reportedAtMs = nowMs;
        return count(`; the last is ${event.last}`);
      }
    }
  };
  return { print, end: () => shown === events || count(" in all") };
}

function jsonOf(event: ForwardEvent): string {
  return JSON.stringify(event.type === "failed" ? { ...event, error: event.error.message } : event);
}
