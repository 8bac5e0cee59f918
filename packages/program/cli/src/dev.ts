import { contextFilePath, type DialectName, parseDurationMs } from "@vedette/config";
import { type Command, InvalidArgumentError, Option } from "commander";
import { beginCommand, defineLocalCommand } from "./client/beginCommand.js";
import type { CommandHost } from "./client/CommandHost.js";
import type { GivenAmount } from "./client/givenAmount.js";
import { addAdminOptions, amountOption, parseMoney } from "./client/options.js";
import { dialectOption } from "./sharedOptions.js";

interface DevOptions {
  readonly port: number;
  readonly seed: string;
  readonly balance?: GivenAmount;
  readonly blockTime?: number;
  readonly dataDir?: string;
  readonly fork?: string;
  readonly at?: string;
  readonly fundFrom?: string;
  readonly dialect: DialectName;
  readonly serveKeys?: boolean;
  readonly logLevel: string;
  readonly json?: boolean;
}

/** `vedette dev`: a chain for development in one process; and what can be done with one. */
export function addDevCommands(vedette: Command, host: CommandHost, finish: (exitCode: number) => void): void {
  addDev(vedette, finish);
  const faucet = addAdminOptions(
    beginCommand(vedette, host, {
      name: "faucet",
      summary: "send coins to an address on a `vedette dev` chain",
      example: "faucet 1111… --amount 50ASI",
    }),
  )
    .argument("<address>", "recipient")
    .addOption(amountOption("--amount <amount>", "amount (default: 100000000000)"));
  defineLocalCommand(faucet, host, async () => (await import("./client/devAnswers.js")).faucet);
}

function addDev(vedette: Command, finish: (exitCode: number) => void): void {
  vedette
    .command("dev")
    .description("run a development chain: ten accounts with coins, one final block per deploy")
    .addOption(
      new Option("--port <port>", "first of six consecutive ports; 0 selects free ports")
        .argParser(port)
        .default(40_400),
    )
    .option("--seed <text>", "seed of the account keys", "vedette dev")
    .addOption(
      new Option("--balance <amount>", "balance of each account (default: 100000000000000)").argParser(parseMoney),
    )
    .addOption(
      new Option(
        "--block-time <seconds>",
        "seconds between two blocks, with or without deploys (default: one block per deploy)",
      ).argParser(seconds),
    )
    .option("--data-dir <path>", "directory of the chain (default: in memory, lost at the end)")
    .option("--fork <url>", "start from the state of the node with this HTTP address")
    .option("--at <block>", "with --fork: hash or height of the block (default: the last finalized block)")
    .option(
      "--fund-from <public key>",
      "with --fork: account that pays the coins of the ten accounts (default: a rich account)",
    )
    .addOption(dialectOption("dialect of the chain").default("rnode"))
    .option("--serve-keys", "show private keys at GET /dev, so that the explorer's playground can sign")
    .option("--log-level <levels>", "log levels of the node, written to the standard error", "warn")
    .option("--json", "print JSON lines")
    .addHelpText("after", "\nExample:\n  vedette dev --block-time 5 --data-dir ./chain")
    .action(async (options: DevOptions) => {
      const {
        json = false,
        serveKeys = false,
        blockTime,
        logLevel,
        dataDir,
        fork: url,
        at,
        fundFrom,
        balance,
        ...rest
      } = options;
      const { defaultDevSettings, runDev } = await import("@vedette/devtools/dev");
      const { devBalance } = await import("./devBalance.js");
      const { stopOnSignals } = await import("./processSignals.js");
      const stop = stopOnSignals(json ? () => undefined : (text) => process.stderr.write(`${text}\n`));
      const fork = url === undefined ? undefined : { url, at, fundFrom };
      await runDev({
        settings: {
          ...{ ...rest, servesKeys: serveKeys, blockTimeMs: blockTime, dataDir, fork },
          balance: balance === undefined ? defaultDevSettings.balance : devBalance(balance, options),
        },
        ...{ logLevel, isJson: json, begunMs: 0, contextFile: contextFilePath(process.env), signal: stop.signal },
        write: (text) => process.stdout.write(text),
      });
      finish(stop.exitCode());
    });
}

function port(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError("It must be a number.");
  return Number(text);
}

function seconds(text: string): number {
  const milliseconds = /^\d/.test(text) ? (parseDurationMs(/^[\d.]+$/.test(text) ? `${text}s` : text, true) ?? -1) : -1;
  if (milliseconds < 0) throw new InvalidArgumentError("It must be a number of seconds as 5 or 0.5.");
  return milliseconds;
}
