import { type EventKind, eventKinds } from "@vedette/api/eventKinds";
import { dialectNames, findDialectName } from "@vedette/config";
import type { NatsOptions } from "@vedette/replication/stream";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CommandError } from "./client/CommandError.js";
import { type GivenOptions, textOf } from "./runOptions.js";

/**
 * Adds an option, and accepts it under its name of earlier versions, which help does not show.
 *
 * @param earlierFlags with the same kind of value as the option
 */
export function addRenamedOption(command: Command, option: Option, earlierFlags: string): Command {
  const earlier = new Option(earlierFlags).hideHelp();
  earlier.attributeName = () => option.attributeName();
  if (option.parseArg !== undefined) earlier.parseArg = option.parseArg;
  return command.addOption(option).addOption(earlier);
}

/** The option `--dialect`; it accepts the dialect names of earlier versions, too. @spec 50 §5.6 */
export function dialectOption(description: string): Option {
  const parse = (text: string) => {
    const name = findDialectName(text);
    if (name === undefined) throw new InvalidArgumentError(`Allowed choices are ${dialectNames.join(", ")}.`);
    return name;
  };
  return new Option("--dialect <name>", description).choices(dialectNames).argParser(parse);
}

/** Names of earlier versions; scripts and services may still use them. */
const formerNames: ReadonlyMap<string, EventKind> = new Map([
  ["chainBegun", "chainStarted"],
  ["blockForkedAway", "blockOrphaned"],
  ["deployPrinted", "deployOutput"],
]);

/** The option `--kind`, which may be repeated; it accepts the names of earlier versions, too. @spec 50 §8.1 */
export function eventKindOption(): Option {
  const parse = (text: string, before: readonly EventKind[] = []) => {
    const kind = eventKinds.find((known) => known === text) ?? formerNames.get(text);
    if (kind === undefined) throw new InvalidArgumentError(`It must be one of ${eventKinds.join(", ")}.`);
    return [...before, kind];
  };
  return new Option("--kind <kind>", "kind of events to show (repeatable)").choices(eventKinds).argParser(parse);
}

const largestInt64 = 2n ** 63n - 1n;

/** An amount of phlo. */
export function parsePhlo(text: string): bigint {
  if (!/^\d{1,19}$/.test(text) || BigInt(text) > largestInt64)
    throw new InvalidArgumentError(`It must be a number from 0 to ${largestInt64}.`);
  return BigInt(text);
}

/** A count, or a number of milliseconds. */
export function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

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

/** Returns the given options and those of the environment. @throws {CommandError} `badArgument` */
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
