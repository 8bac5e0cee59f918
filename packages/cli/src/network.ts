import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { contextFilePath, dialectNames, parseDurationMs, versionText } from "@vedette/config";
import { defaultSettings, judgements, type NetworkSettings } from "@vedette/devnet/settings";
import { canPaint } from "@vedette/terminal";
import { type Command, InvalidArgumentError, Option } from "commander";

interface NetworkOptions extends Partial<NetworkSettings> {
  readonly dir: string;
  readonly fresh?: boolean;
  readonly restart: boolean;
  readonly view: boolean;
  readonly json?: boolean;
  readonly rhythm?: number;
}

/** Where a local network is kept. */
export const defaultNetworkDirectory = join(homedir(), ".vedette", "network");
const defaultFleetDirectory = join(homedir(), ".vedette", "fleet");
const maxReplicas = 20;

/** `vedette network`, `vedette fleet` with what serves it, and `vedette load` which puts them to work. */
export function addNetworkCommands(vedette: Command): void {
  addNetworkCommand(vedette);
  addFleetCommand(vedette);
  addLoadCommand(vedette);
}

const rhythmText =
  "time between two blocks of the network, with deploys or without; one validator alone puts a small deploy of its own into each block, since the protocol has no empty ones that follow only their maker's last";

function addNetworkCommand(vedette: Command): void {
  const command = vedette
    .command("network")
    .description("run a whole network on this machine: bootstrap node, validators, observer");
  addNetworkOptions(command, defaultNetworkDirectory)
    .option("--prepare", "only make the files of a network whose nodes run on hosts of their own, named like the nodes")
    .action(async (options: NetworkOptions & { readonly prepare?: boolean }) => {
      const { runNetwork } = await import("@vedette/devnet");
      const { prepare = false } = options;
      process.exitCode = await runNetwork({
        ...networkCommandOf(options),
        isOnlyPrepared: prepare,
        placement: { hasOwnHosts: prepare },
      });
    });
}

interface FleetOptions extends NetworkOptions {
  readonly replicas: number;
  readonly natsServer?: string;
  readonly haproxy?: string;
}

function addFleetCommand(vedette: Command): void {
  const command = vedette
    .command("fleet")
    .description(
      "run a whole network and a fleet that serves its chain: NATS, publishers, replicas, one name for them",
    );
  addNetworkOptions(command, defaultFleetDirectory)
    .addOption(
      new Option("--replicas <count>", "how many serve")
        .argParser((given) => {
          const count = decimal(given);
          if (Number.isInteger(count) && count >= 1 && count <= maxReplicas) return count;
          throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxReplicas}.`);
        })
        .default(3),
    )
    .option("--nats-server <path>", "the program of NATS (default: nats-server in the PATH)")
    .option("--haproxy <path>", "the program of HAProxy (default: haproxy in the PATH, or no one name)")
    .action(async (options: FleetOptions) => {
      const { runFleet } = await import("@vedette/devnet");
      const { replicas, natsServer, haproxy } = options;
      process.exitCode = await runFleet({ ...networkCommandOf(options), replicas, natsServer, haproxy });
    });
}

/** The options of every command that runs a local network. */
function addNetworkOptions(command: Command, directory: string): Command {
  const { rhythmMs, judgeBy, dialect, ...numbers } = defaultSettings;
  command
    .option("--dir <path>", "where the network is kept", directory)
    .option("--fresh", "begin anew; removes the network that is there")
    .addOption(new Option("--rhythm <duration>", text(rhythmText, `${rhythmMs / 1_000}s`)).argParser(duration));
  for (const [flag, name, doc] of numberOptions)
    command.addOption(new Option(flag, text(doc, String(numbers[name]))).argParser(parserOf(numbers[name])));
  const judgement = text("how equivocations are judged; arrival where nodes of the reference validate too", judgeBy);
  return command
    .addOption(new Option("--judge-by <rule>", judgement).choices(judgements))
    .addOption(new Option("--dialect <name>", text("whose rules the network has", dialect)).choices(dialectNames))
    .option("--no-restart", "leave a node that has ended as it is")
    .option("--no-view", "print lines instead of a live view, as in a pipe, with CI, or TERM=dumb")
    .option("--json", "print JSON lines");
}

function networkCommandOf(options: NetworkOptions) {
  const { dir, fresh = false, restart, view, json = false } = options;
  const isLive = view && canPaint(process.stdout, process.env);
  return {
    directory: dir,
    given: givenSettings(options),
    isFresh: fresh,
    isRestarted: restart,
    style: json ? "json" : isLive ? "view" : "plain",
    version: versionText,
    program: fileURLToPath(new URL("../bin/vedette.js", import.meta.url)),
    contextFile: contextFilePath(process.env),
  } as const;
}

interface LoadCommandOptions {
  readonly dir: string;
  readonly rate: number;
  readonly calls: number;
  readonly duration: number;
  readonly seed: number;
  readonly json?: boolean;
}

function addLoadCommand(vedette: Command): void {
  vedette
    .command("load")
    .description("put a load on the local network that is running, and check its books")
    .option("--dir <path>", "where the network is kept", defaultNetworkDirectory)
    .addOption(new Option("--network-dir <path>", "the same").hideHelp())
    .option("--rate <count>", "transfers in a second", positive, 2)
    .option("--calls <count>", "contract calls in a second", positive, 1)
    .addOption(new Option("--duration <duration>", "how long").argParser(duration).default(60_000, "60s"))
    .option("--seed <number>", "the same seed makes the same load", decimal, 1)
    .option("--json", "print the report as one JSON object")
    .action(async (options: LoadCommandOptions & { readonly networkDir?: string }) => {
      const { runLoad } = await import("@vedette/devnet");
      const { dir, networkDir = dir, rate, calls, duration: durationMs, seed, json = false } = options;
      process.exitCode = await runLoad({
        directory: networkDir,
        transfersPerSecond: rate,
        callsPerSecond: calls,
        durationMs,
        seed,
        isJson: json,
      });
    });
}

type NumberSetting = Exclude<keyof NetworkSettings, "rhythmMs" | "judgeBy" | "dialect">;

const numberOptions: readonly (readonly [string, NumberSetting, string])[] = [
  ["--validators <count>", "validators", "how many validators genesis has; one alone is standalone"],
  ["--stake <amount>", "stake", "stake of each of them"],
  ["--wallets <count>", "wallets", "how many test wallets have coins"],
  ["--balance <amount>", "balance", "coins of each of them"],
  ["--parents <count>", "parents", "how many parents a block may have"],
  ["--fault-tolerance <share>", "faultTolerance", "how safe a block has to be to be final, from -1 to 1"],
  ["--synchrony <share>", "synchrony", "stake that has to have spoken since a validator's last block, from 0 to 1"],
  ["--epoch-length <blocks>", "epochLength", "blocks in an epoch"],
  ["--quarantine-length <blocks>", "quarantineLength", "blocks until a stake is given back"],
  ["--base-port <port>", "basePort", "first port; every node has the six from the next ten on"],
];

/** Those that were asked for: the others are the stored network's, or the defaults. */
function givenSettings(options: NetworkOptions): Partial<NetworkSettings> {
  const given = numberOptions.flatMap(([, name]) => (options[name] === undefined ? [] : [[name, options[name]]]));
  const rhythm = options.rhythm === undefined ? {} : { rhythmMs: options.rhythm };
  const judgement = options.judgeBy === undefined ? {} : { judgeBy: options.judgeBy };
  const dialect = options.dialect === undefined ? {} : { dialect: options.dialect };
  return { ...Object.fromEntries(given), ...rhythm, ...judgement, ...dialect };
}

function text(doc: string, value: string): string {
  return `${doc} (default: ${value})`;
}

function parserOf(example: number | bigint): (given: string) => number | bigint {
  return typeof example === "bigint" ? amount : decimal;
}

function duration(given: string): number {
  const milliseconds = parseDurationMs(given, true);
  if (milliseconds === undefined) throw new InvalidArgumentError("It must be a length of time as 5s or 500ms.");
  return milliseconds;
}

function amount(given: string): bigint {
  if (!/^\d{1,19}$/.test(given)) throw new InvalidArgumentError("It must be a whole number.");
  return BigInt(given);
}

function positive(given: string): number {
  const number = decimal(given);
  if (number < 0) throw new InvalidArgumentError("It must be 0 or more.");
  return number;
}

function decimal(given: string): number {
  if (!/^-?\d{1,9}(\.\d{1,9})?$/.test(given)) throw new InvalidArgumentError("It must be a number.");
  return Number(given);
}
