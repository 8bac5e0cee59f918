import { contextFilePath, type DialectName, dialectNames, parseDurationMs } from "@vedette/config";
import { type Command, InvalidArgumentError, Option } from "commander";
import { beginCommand, defineLocalCommand } from "./client/beginCommand.js";
import type { CommandHost } from "./client/CommandHost.js";
import type { GivenAmount } from "./client/givenAmount.js";
import { addAdminOptions, amountOption, parseMoney } from "./client/options.js";

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
      summary: "give coins to an address, on a chain of `vedette dev`",
      example: "faucet 1111… --amount 50ASI",
    }),
  )
    .argument("<address>", "who gets them")
    .addOption(amountOption("--amount <amount>", "how much (default: 100000000000)"));
  defineLocalCommand(faucet, host, async () => (await import("./client/devAnswers.js")).faucet);
}

function addDev(vedette: Command, finish: (exitCode: number) => void): void {
  vedette
    .command("dev")
    .description("a chain on your desk: ten accounts with coins, a block as soon as a deploy arrives, final at once")
    .addOption(
      new Option("--port <port>", "first of its six ports in the usual order; 0: free ones")
        .argParser(port)
        .default(40_400),
    )
    .option("--seed <text>", "what the keys of its accounts are made from", "vedette dev")
    .addOption(
      new Option("--balance <amount>", "what each account has (default: 100000000000000)").argParser(parseMoney),
    )
    .addOption(
      new Option("--block-time <seconds>", "a block every so many seconds, with deploys or without").argParser(seconds),
    )
    .option("--data-dir <path>", "keep the chain there; without it is in memory, and gone at the end")
    .option("--fork <url>", "begin from the state of another node: the address of its HTTP API")
    .option("--at <block>", "with --fork: from which block, its hash or height (default: the last finalized one)")
    .option("--fund-from <public key>", "with --fork: whose vault the accounts get coins from (default: a rich one)")
    .addOption(
      new Option("--dialect <name>", "whose rules the chain has").choices(dialectNames).default(dialectNames[0]),
    )
    .option("--serve-keys", "let GET /dev tell the private keys, for the explorer's playground to sign with")
    .option("--log-level <levels>", "how much the node tells on the standard error", "warn")
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
      const { defaultDevSettings, runDev } = await import("@vedette/dev");
      const { devBalance } = await import("./devBalance.js");
      const { stopOnSignals } = await import("./stopOnSignals.js");
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
