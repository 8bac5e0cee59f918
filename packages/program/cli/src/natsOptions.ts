import type { NatsOptions } from "@vedette/replication/stream";
import type { Command } from "commander";
import { CommandError } from "./client/CommandError.js";
import { type GivenOptions, textOf } from "./runOptions.js";

const usualServer = "nats://127.0.0.1:4222";

/** Help text about user and password of NATS servers. */
export const natsPasswordHelp = "\nUser and password, where the servers want them: NATS_USER and NATS_PASSWORD.\n";

/** Adds the options by which NATS servers are reached. */
export function addNatsOptions(command: Command): Command {
  return command
    .option("--nats <urls>", `NATS servers, separated by commas (default: ${usualServer})`)
    .option("--creds <file>", "credentials file of a NATS user")
    .option("--tls-ca <file>", "certificate authorities of the servers")
    .option("--tls-cert <file>", "client certificate")
    .option("--tls-key <file>", "key of the client certificate");
}

/** What was given by them, and by the environment. @throws {CommandError} `badArgument` */
export function natsOptionsOf(given: GivenOptions): NatsOptions {
  const { NATS_USER: user, NATS_PASSWORD: password } = process.env;
  const servers = (textOf(given, "nats") ?? usualServer).split(",").map((url) => url.trim());
  if (servers.some((url) => !/^(nats|tls|ws|wss):\/\/\S+$/.test(url)))
    throw new CommandError({ code: "badArgument", name: "--nats", expected: `URLs such as ${usualServer}` });
  return {
    ...{ servers, user, password, credentials: textOf(given, "creds"), tlsCa: textOf(given, "tlsCa") },
    ...{ tlsCertificate: textOf(given, "tlsCert"), tlsKey: textOf(given, "tlsKey") },
  };
}
