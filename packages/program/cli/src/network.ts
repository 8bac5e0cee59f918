import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { contextFilePath, parseDurationMs, versionText } from "@vedette/config";
import { defaultSettings, judgements, type NetworkSettings } from "@vedette/devtools/networkSettings";
import { canPaint } from "@vedette/terminal";
import { type Command, InvalidArgumentError, Option } from "commander";
import { addRenamedOption, dialectOption } from "./sharedOptions.js";

interface NetworkOptions extends Partial<NetworkSettings> {
  readonly dir: string;
  readonly reset?: boolean;
  readonly restart: boolean;
  readonly view: boolean;
  readonly json?: boolean;
  readonly blockInterval?: number;
  readonly equivocationRule?: NetworkSettings["judgeBy"];
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

const intervalText =
  "time between two blocks of the network, with or without deploys; a single validator adds a small deploy to each block";

function addNetworkCommand(vedette: Command): void {
  const command = vedette
    .command("network")
    .description("run a complete network on this machine: bootstrap node, validators, observer");
  const filesOnly = new Option("--files-only", "only create the files; each node runs on a host with its name");
  addRenamedOption(addNetworkOptions(command, defaultNetworkDirectory), filesOnly, "--prepare").action(
    async (options: NetworkOptions & { readonly filesOnly?: boolean }) => {
      const { runNetwork } = await import("@vedette/devtools/devnet");
      const { filesOnly: isOnlyPrepared = false } = options;
      process.exitCode = await runNetwork({
        ...networkCommandOf(options),
        isOnlyPrepared,
        placement: { hasOwnHosts: isOnlyPrepared },
      });
    },
  );
}

interface FleetOptions extends NetworkOptions {
  readonly replicas: number;
  readonly natsServer?: string;
  readonly haproxy?: string;
}

function addFleetCommand(vedette: Command): void {
  const command = vedette
    .command("fleet")
    .description("run a complete network and a fleet that serves its chain: NATS, publishers, replicas, proxy");
  addNetworkOptions(command, defaultFleetDirectory)
    .addOption(
      new Option("--replicas <count>", "number of replicas")
        .argParser((given) => {
          const count = decimal(given);
          if (Number.isInteger(count) && count >= 1 && count <= maxReplicas) return count;
          throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxReplicas}.`);
        })
        .default(3),
    )
    .option("--nats-server <path>", "NATS server program (default: nats-server in the PATH)")
    .option("--haproxy <path>", "HAProxy program (default: haproxy in the PATH; without it no common address)")
    .action(async (options: FleetOptions) => {
      const { runFleet } = await import("@vedette/devtools/devnet");
      const { replicas, natsServer, haproxy } = options;
      process.exitCode = await runFleet({ ...networkCommandOf(options), replicas, natsServer, haproxy });
    });
}

/** The options of every command that runs a local network. */
function addNetworkOptions(command: Command, directory: string): Command {
  const { rhythmMs, judgeBy, dialect, ...numbers } = defaultSettings;
  command.option("--dir <path>", "directory of the network", directory);
  addRenamedOption(command, new Option("--reset", "delete the existing network and create a new one"), "--fresh");
  const interval = new Option("--block-interval <duration>", text(intervalText, `${rhythmMs / 1_000}s`));
  addRenamedOption(command, interval.argParser(duration), "--rhythm <duration>");
  for (const [flag, name, doc] of numberOptions) {
    const option = new Option(flag, text(doc, String(numbers[name]))).argParser(parserOf(numbers[name]));
    option.attributeName = () => name;
    command.addOption(option);
  }
  command.addOption(new Option("--synchrony <share>").argParser(decimal).hideHelp());
  const rule = text("how equivocations are judged; arrival if rnode nodes validate, too", judgeBy);
  const equivocationRule = new Option("--equivocation-rule <rule>", rule).choices(judgements);
  addRenamedOption(command, equivocationRule, "--judge-by <rule>");
  return command
    .addOption(dialectOption(text("dialect of the network", dialect)))
    .option("--no-restart", "do not restart nodes that end")
    .option("--no-view", "print lines instead of a live view, as in a pipe, with CI, or with TERM=dumb")
    .option("--json", "print JSON lines");
}

function networkCommandOf(options: NetworkOptions) {
  const { dir, reset = false, restart, view, json = false } = options;
  const isLive = view && canPaint(process.stdout, process.env);
  return {
    directory: dir,
    given: givenSettings(options),
    isFresh: reset,
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
    .description("send transfers and calls to the running local network, and check all balances")
    .option("--dir <path>", "directory of the network", defaultNetworkDirectory)
    .addOption(new Option("--network-dir <path>", "the same").hideHelp())
    .option("--rate <count>", "transfers per second", positive, 2)
    .option("--calls <count>", "contract calls per second", positive, 1)
    .addOption(new Option("--duration <duration>", "duration of the load").argParser(duration).default(60_000, "60s"))
    .option("--seed <number>", "seed of the load; the same seed repeats it", decimal, 1)
    .option("--json", "print the report as one JSON object")
    .action(async (options: LoadCommandOptions & { readonly networkDir?: string }) => {
      const { runLoad } = await import("@vedette/devtools/devnet");
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
  ["--validators <count>", "validators", "number of genesis validators; 1 runs standalone"],
  ["--stake <amount>", "stake", "stake of each validator"],
  ["--wallets <count>", "wallets", "number of test wallets with coins"],
  ["--balance <amount>", "balance", "coins of each test wallet"],
  ["--parents <count>", "parents", "maximum number of parents of a block"],
  ["--fault-tolerance <share>", "faultTolerance", "fault tolerance above which a block is final, from -1 to 1"],
  [
    "--synchrony-threshold <share>",
    "synchrony",
    "share of the stake that must propose between two blocks of a validator, from 0 to 1",
  ],
  ["--epoch-length <blocks>", "epochLength", "blocks in an epoch"],
  ["--quarantine-length <blocks>", "quarantineLength", "blocks until a stake is returned"],
  ["--base-port <port>", "basePort", "first port; each node uses the first six of its own ten ports"],
];

/** The given settings: the others are the stored network's, or the defaults. */
function givenSettings(options: NetworkOptions): Partial<NetworkSettings> {
  const given = numberOptions.flatMap(([, name]) => (options[name] === undefined ? [] : [[name, options[name]]]));
  const rhythm = options.blockInterval === undefined ? {} : { rhythmMs: options.blockInterval };
  const judgement = options.equivocationRule === undefined ? {} : { judgeBy: options.equivocationRule };
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
