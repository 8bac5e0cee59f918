import { orderings, saslMechanisms } from "@vedette/replication/sinkChoices";
import { type Command, Option } from "commander";
import type { CommandHost } from "../client/CommandHost.js";
import { parsePort } from "../client/options.js";
import { addNatsOptions, addRenamedOption, eventKindOption, natsPasswordHelp } from "../sharedOptions.js";
import type { SinkKind } from "./runSink.js";

const about = `
Every event is delivered at least once, with its cursor as its id; events of one key are delivered in their order. A
failed delivery is tried again, with growing pauses, without an end. The file of --cursor stores the position, so that
the same command goes on where it was ended.
`;

/** `vedette sink`: a node's events to others. @spec 50 §4.1 */
export function addSinkCommands(vedette: Command, host: CommandHost, finish: (exitCode: number) => void): void {
  const group = vedette
    .command("sink")
    .description("deliver the events of a node to a webhook, NATS JetStream or Kafka")
    .helpOption("--help", "show this help");
  const add = (kind: SinkKind, description: string) =>
    addEventOptions(group.command(kind).description(description).helpOption("--help", "show this help"), kind).action(
      async (given: Record<string, unknown>) => {
        const { runSink } = await import("./runSink.js");
        finish(await runSink(kind, host, given));
      },
    );
  const webhook = add("webhook", "call a URL for each event, signed according to Standard Webhooks");
  const concurrency = new Option("--concurrency <number>", "maximum concurrent calls, for different keys (default: 8)");
  addRenamedOption(webhook, concurrency, "--at-once <number>")
    .requiredOption("--url <url>", "URL that receives each event as JSON by POST")
    .option(
      "--secret-file <file>",
      "file of signing secrets, one per line; created if missing (default: webhook-secret)",
    )
    .addHelpText("after", `${about}\nExample:\n  vedette sink webhook --url https://example.com/hook --kind transfer`);
  addNatsOptions(add("nats", "publish each event into a NATS JetStream stream"))
    .option("--stream <name>", "name of the stream, created if missing (default: VEDETTE_EVENTS)")
    .option("--subject <prefix>", "prefix of the subjects, before the kind of the event (default: vedette-events)")
    .option("--keep-days <number>", "days that a new stream keeps events (default: 7)")
    .option("--replicas <number>", "number of servers that store a new stream (default: 1)")
    .addHelpText("after", `${about}${natsPasswordHelp}\nExample:\n  vedette sink nats --nats nats://127.0.0.1:4222`);
  add("kafka", "publish each event into a Kafka topic")
    .option("--brokers <addresses>", "brokers as host:port, separated by commas (default: localhost:9092)")
    .option("--topic <name>", "name of the topic (default: vedette-events)")
    .option("--tls", "use TLS")
    .option("--tls-ca <file>", "certificate authorities of the brokers")
    .option("--tls-cert <file>", "client certificate")
    .option("--tls-key <file>", "key of the client certificate")
    .addOption(new Option("--sasl <mechanism>", "SASL mechanism").choices(saslMechanisms))
    .addHelpText(
      "after",
      `${about}\nUser and password, with --sasl: KAFKA_USER and KAFKA_PASSWORD.\n\nExample:\n  vedette sink kafka --brokers localhost:9092 --order deploy`,
    );
}

function addEventOptions(command: Command, kind: SinkKind): Command {
  const several = (value: string, before: readonly string[] = []) => [...before, value];
  return command
    .option("-H, --host <host>", "host of the node (default: from the context, else localhost)")
    .addOption(
      new Option("--http-port <port>", "HTTP port of the node (default: from the context, else 40403)").argParser(
        parsePort,
      ),
    )
    .addOption(eventKindOption())
    .option("--deployer <key>", "public key of a deployer with events to deliver (repeatable)", several)
    .option("--address <address>", "vault address with transfers to deliver (repeatable)", several)
    .option("--name <name>", "name with sends to deliver, for example text:prices (repeatable)", several)
    .addOption(
      new Option("--order <key>", "scope of the order: all events, or events of one deploy or deployer")
        .choices(orderings)
        .default("chain"),
    )
    .option("--summaries", "add what each deploy did (summary, effects) to its events")
    .option("--after <cursor>", "cursor of the first start: an event, newest, or oldest", "newest")
    .option("--cursor <file>", "file with the position of the sink", `vedette-sink-${kind}.json`)
    .option("--json", "print one JSON object per line");
}
