import { type Command, InvalidArgumentError, Option } from "commander";
import { addRenamedOption, dialectOption } from "../sharedOptions.js";
import { type GivenAmount, readAmount } from "./givenAmount.js";

/** @spec 50 §5.6 */
export const grpcPorts = {
  /** Deploys and reads. */
  external: 40401,
  /** Also proposals; where the published examples send deploys. */
  internal: 40402,
} as const;

const largestInt64 = 2n ** 63n - 1n;
const largestInt32 = 2 ** 31 - 1;
const seconds = 1_000;

/** Where the node is, how long it may take, and how to answer. @spec 50 §5.6 */
export function addNodeOptions(command: Command, port: number): Command {
  return command
    .addOption(
      new Option("-H, --host <host>", "host of the node (default: VEDETTE_NODE, else from the context)").default(
        "localhost",
      ),
    )
    .addOption(new Option("--grpc-host <host>", "the same").hideHelp())
    .addOption(new Option("-p, --port <port>", "gRPC port of the node").argParser(parsePort).default(port))
    .addOption(new Option("--grpc-port <port>", "the same").argParser(parsePort).hideHelp())
    .addOption(
      new Option("--grpc-max-recv-message-size <bytes>", "maximum size of a response")
        .argParser(parseCount)
        .default(16_777_216),
    )
    .addOption(new Option("--timeout <seconds>", "time limit of one call").argParser(parseSeconds).default(30))
    .option("--json", "print one JSON value");
}

/**
 * Adds the option for the dialect, by which contracts are named and terms are read.
 *
 * @param otherwise the dialect if neither option nor context states it
 * @spec 61 §11
 */
export function addDialectOption(command: Command, otherwise = "else from the node"): Command {
  return command.addOption(dialectOption(`dialect of the network (default: from the context, ${otherwise})`));
}

/** Where a node's operator's HTTP API is. @spec 50 §2 */
export function addAdminOptions(command: Command): Command {
  return command
    .option("-H, --host <host>", "host of the node (default: from the context, else localhost)")
    .addOption(
      new Option(
        "--admin-port <port>",
        "operator's HTTP port of the node (default: from the context, else 40405)",
      ).argParser(parsePort),
    );
}

/** Where a node's public HTTP API is. @spec 50 §1 */
export function addHttpOptions(command: Command): Command {
  return command
    .option("-H, --host <host>", "host of the node (default: from the context, else localhost)")
    .addOption(
      new Option("--http-port <port>", "HTTP port of the node (default: from the context, else 40403)").argParser(
        parsePort,
      ),
    );
}

/** Adds the options for the signing key. @spec 50 §5.6 */
export function addKeyOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--private-key <hex>",
        "private key, 64 digits; visible to other users, so prefer a file or VEDETTE_PRIVATE_KEY",
      ),
    )
    .addOption(new Option("--private-key-file <file>", "private key file: hexadecimal, or encrypted by keygen"))
    .addOption(new Option("--private-key-path <file>", "the same").hideHelp());
}

/** Adds the options for a deploy's fields. @spec 50 §5.6, §8.5 */
export function addDeployOptions(command: Command): Command {
  const sent = command
    .addOption(
      new Option("--phlo-limit <n>", "maximum phlo to use").argParser(parseAtLeast(1n)).default(500_000n, "500000"),
    )
    .addOption(new Option("--phlo-price <n>", "price of one phlo").argParser(parseAtLeast(0n)).default(1n, "1"))
    .addOption(
      new Option(
        "--valid-after-block-number <n>",
        "height after which a block may include it (default: the latest block, less one)",
      ).argParser(parseAtLeast(-1n)),
    )
    .addOption(new Option("--shard-id <name>", "shard").default("root"));
  const additional = new Option(
    "--additional-node <host:port>",
    "gRPC address of another node that also receives the deploy (repeatable)",
  );
  return addRenamedOption(sent, additional.argParser(collectPlaces), "--also <host:port>");
}

/** Another node, by its gRPC port. */
export interface GrpcEndpoint {
  readonly host: string;
  readonly port: number;
}

const maxPlaces = 20;

function collectPlaces(text: string, before: readonly GrpcEndpoint[] = []): readonly GrpcEndpoint[] {
  const [, bracketed, plain, port] = /^(?:\[([\da-fA-F:.%]+)\]|([^\s:/]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) throw new InvalidArgumentError("It must be host:port.");
  if (before.length >= maxPlaces) throw new InvalidArgumentError(`There may be ${maxPlaces} of them.`);
  return [...before, { host, port: parsePort(port!) }];
}

/** Whether to wait for what becomes of a deploy. */
export function addWaitOptions(command: Command): Command {
  return command
    .option("--wait", "wait until it is finalized")
    .option("--wait-included", "wait until a block includes it")
    .addOption(waitTimeoutOption());
}

/** How long to wait. */
export function waitTimeoutOption(): Option {
  return new Option("--wait-timeout <seconds>", "time limit of the wait").argParser(parseSeconds).default(300);
}

/** An amount of money, a {@link GivenAmount}. */
export function amountOption(flags: string, doc: string): Option {
  return new Option(
    flags,
    `${doc}: a whole number in the smallest unit, or in the network's token, for example 1.5ASI`,
  ).argParser(parseMoney);
}

/** @returns whole number from 1 */
export function parseDepth(text: string): number {
  return parseWhole(text, 1, largestInt32);
}

/** @returns whole number from 0 */
export function parseHeight(text: string): bigint {
  return parseAtLeast(0n)(text);
}

/** @returns whole number, negative ones too: what rnode's `vdag` takes for "as far as you may" */
export function parseDagDepth(text: string): number {
  return text === "-1" ? -1 : parseWhole(text, 0, largestInt32);
}

/** @returns a port's number */
export function parsePort(text: string): number {
  return parseWhole(text, 1, 65_535);
}

function parseCount(text: string): number {
  return parseWhole(text, 1, largestInt32);
}

function parseSeconds(text: string): number {
  return parseWhole(text, 1, Math.floor(largestInt32 / seconds));
}

function parseWhole(text: string, least: number, most: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) {
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  }
  return value;
}

function parseAtLeast(least: bigint): (text: string) => bigint {
  return (text) => {
    const value = /^-?\d{1,19}$/.test(text) ? BigInt(text) : undefined;
    if (value === undefined || value < least || value > largestInt64) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${largestInt64}.`);
    }
    return value;
  };
}

/** An amount that a user typed. */
export function parseMoney(text: string): GivenAmount {
  const amount = readAmount(text);
  const { units } = amount ?? {};
  if (amount === undefined || (units !== undefined && (units < 1n || units > largestInt64))) {
    throw new InvalidArgumentError(`It must be from 1 to ${largestInt64} in the smallest unit, or for example 1.5ASI.`);
  }
  return amount;
}
