import { eventKinds } from "@vedette/api/eventKinds";
import { orderings, saslMechanisms } from "@vedette/sinks/choices";
import { type Command, Option } from "commander";
import type { CommandHost } from "../client/CommandHost.js";
import { parsePort } from "../client/options.js";
import { addNatsOptions, natsPasswordHelp } from "../natsOptions.js";
import type { SinkKind } from "./runSink.js";

const about = `
Every event is handed on at least once, with its cursor as its id; events of one key are handed on in their order. What is
not taken is tried again, with growing pauses, for as long as it takes. How far it is stands in the file of --cursor, so
that the same command goes on where it was ended.
`;

/** `vedette sink`: a node's events to others. @spec 50 §4.1 */
export function addSinkCommands(vedette: Command, host: CommandHost, finish: (exitCode: number) => void): void {
  const group = vedette
    .command("sink")
    .description("hand a node's events on: to a webhook, into NATS JetStream, into Kafka")
    .helpOption("--help", "show this help");
  const add = (kind: SinkKind, description: string) =>
    addEventOptions(group.command(kind).description(description).helpOption("--help", "show this help"), kind).action(
      async (given: Record<string, unknown>) => {
        const { runSink } = await import("./runSink.js");
        finish(await runSink(kind, host, given));
      },
    );
  add("webhook", "call a URL for each event, signed as Standard Webhooks has it")
    .requiredOption("--url <url>", "what is called, by POST, with the event as JSON")
    .option(
      "--secret-file <file>",
      "secrets of the signature, one a line; made where it is not there (default: webhook-secret)",
    )
    .option("--at-once <number>", "calls under way at once, of different keys (default: 8)")
    .addHelpText("after", `${about}\nExample:\n  vedette sink webhook --url https://example.com/hook --kind transfer`);
  addNatsOptions(add("nats", "put each event into a stream of NATS JetStream"))
    .option("--stream <name>", "the stream, made where it is not there (default: VEDETTE_EVENTS)")
    .option("--subject <prefix>", "subjects are this and the kind of the event (default: vedette-events)")
    .option("--keep-days <number>", "for how long events are kept, where the stream is made (default: 7)")
    .option("--replicas <number>", "servers that keep the stream, where it is made (default: 1)")
    .addHelpText("after", `${about}${natsPasswordHelp}\nExample:\n  vedette sink nats --nats nats://127.0.0.1:4222`);
  add("kafka", "put each event into a topic of Kafka")
    .option("--brokers <addresses>", "brokers, host:port, with commas between them (default: localhost:9092)")
    .option("--topic <name>", "the topic (default: vedette-events)")
    .option("--tls", "speak TLS")
    .option("--tls-ca <file>", "authorities that the brokers' certificates are signed by")
    .option("--tls-cert <file>", "own certificate")
    .option("--tls-key <file>", "its key")
    .addOption(new Option("--sasl <mechanism>", "how a user is known").choices(saslMechanisms))
    .addHelpText(
      "after",
      `${about}\nUser and password, with --sasl: KAFKA_USER and KAFKA_PASSWORD.\n\nExample:\n  vedette sink kafka --brokers localhost:9092 --order deploy`,
    );
}

function addEventOptions(command: Command, kind: SinkKind): Command {
  const several = (value: string, before: readonly string[] = []) => [...before, value];
  return command
    .option("-H, --host <host>", "node whose events they are (default: that of the context, or localhost)")
    .addOption(
      new Option("--http-port <port>", "its HTTP port (default: that of the context, or 40403)").argParser(parsePort),
    )
    .addOption(
      new Option("--kind <kind>", "only these; as often as there are kinds").choices(eventKinds).argParser(several),
    )
    .option("--deployer <key>", "only what these deployers did; as often as there are keys", several)
    .option("--address <address>", "only transfers from or to these vaults", several)
    .option("--name <name>", "also what is sent on these names, such as text:prices", several)
    .addOption(
      new Option("--order <key>", "what is kept in order: all, or what belongs to one deploy or deployer")
        .choices(orderings)
        .default("chain"),
    )
    .option("--after <cursor>", "where to begin the first time: behind this event, newest, or oldest", "newest")
    .option("--cursor <file>", "where is noted how far it is", `vedette-sink-${kind}.json`)
    .option("--json", "print one JSON object a line");
}
