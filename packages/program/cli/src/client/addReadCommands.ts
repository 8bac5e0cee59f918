import { Argument, type Command, Option } from "commander";
import { beginNodeCommand, runsOnNode } from "./beginCommand.js";
import type { CommandHost } from "./CommandHost.js";
import {
  addDialectOption,
  addKeyOptions,
  grpcPorts,
  parseDagDepth,
  parseDepth,
  parseHeight,
  parsePort,
  waitTimeoutOption,
} from "./options.js";

const blockAnswers = () => import("./blockAnswers.js");
const contractAnswers = () => import("./contractAnswers.js");
const stateAnswers = () => import("./stateAnswers.js");
const validatorAnswers = () => import("./validatorAnswers.js");

type Begin = (name: string, summary: string, example: string, aliases?: readonly string[]) => Command;

/** Adds the commands that only read. @spec 50 §5.6, §8.1 */
export function addReadCommands(vedette: Command, host: CommandHost): void {
  const begin: Begin = (name, summary, example, aliases = []) =>
    beginNodeCommand(vedette, host, grpcPorts.external, { name, aliases, summary, example });
  const status = begin(
    "status",
    "show version, address, peers and problems of the node",
    "status -H localhost -p 40401",
  );
  status.addOption(
    new Option(
      "--http-port <port>",
      "HTTP port of the node, for its problems (default: from the context, else 40403)",
    ).argParser(parsePort),
  );
  runsOnNode(status, host, async () => (await blockAnswers()).status);
  addBlockCommands(begin, host);
  addChainCommands(begin, host);
  addStateCommands(begin, host);
  addValidatorCommands(begin, host);
  addContractCommands(begin, host);
}

function addBlockCommands(begin: Begin, host: CommandHost): void {
  const blocks = begin("blocks", "list the newest blocks, or the blocks between two heights", "blocks 10", [
    "get-blocks-by-height",
  ])
    .addArgument(
      new Argument("[depth]", "number of heights (default: 1)").argParser((text) => String(parseDepth(text))),
    )
    .addOption(new Option("-n, --number <n>", "the same").argParser(parseDepth))
    .addOption(new Option("-s, --start-block <n>", "lowest height").argParser(parseHeight))
    .addOption(new Option("-e, --end-block <n>", "highest height").argParser(parseHeight))
    .option("--block-hash <hash>", "show one block, like `block`");
  runsOnNode(blocks, host, async () => {
    const { blocks: run } = await blockAnswers();
    return (command, depth) => run(command, depth === undefined ? undefined : Number(depth));
  });

  const show = begin("show-blocks", "show the newest blocks in full", "show-blocks --depth 3");
  show.addOption(new Option("--depth <n>", "number of heights").argParser(parseDepth).default(1));
  runsOnNode(show, host, async () => (await blockAnswers()).showBlocks);

  const block = begin("block", "show a block", "block 3fa1b2", ["show-block"])
    .argument("[hash]", "block hash, at least 6 digits")
    .option("-b, --block-hash <hash>", "the same");
  runsOnNode(block, host, async () => (await blockAnswers()).block);

  const last = begin("last-finalized-block", "show the last finalized block", "last-finalized-block --json", ["lfb"]);
  runsOnNode(last, host, async () => (await blockAnswers()).lastFinalizedBlock);

  const isFinalized = begin(
    "is-finalized",
    "show whether a block is finalized (exit code 1: no)",
    "is-finalized 3fa1b2 --wait",
  )
    .argument("[hash]", "block hash, at least 6 digits")
    .option("-b, --block-hash <hash>", "the same")
    .option("--wait", "wait until it is finalized")
    .addOption(waitTimeoutOption());
  runsOnNode(isFinalized, host, async () => (await blockAnswers()).isFinalized);
}

function addChainCommands(begin: Begin, host: CommandHost): void {
  const chain = begin("show-main-chain", "list the main chain from its tip down", "show-main-chain -d 10");
  chain.addOption(new Option("-d, --depth <n>", "number of heights").argParser(parseDepth).default(10));
  runsOnNode(chain, host, async () => (await blockAnswers()).mainChain);

  const dag = begin("dag", "print the DAG in the DOT language of Graphviz", "dag --depth 20 | dot -Tsvg > dag.svg", [
    "vdag",
  ])
    .addOption(
      new Option("-d, --depth <n>", "number of heights (-1: the node's limit)").argParser(parseDagDepth).default(-1),
    )
    .option("--justifications", "include justifications")
    .addOption(new Option("--showJustificationlines").hideHelp());
  runsOnNode(dag, host, async () => (await blockAnswers()).dag);

  const mvdag = begin("mvdag", "list the DAG, one line per block and parent", "mvdag");
  runsOnNode(mvdag, host, async () => (await blockAnswers()).mvdag);
}

function addStateCommands(begin: Begin, host: CommandHost): void {
  const balance = begin("balance", "show the balance of an address (needs an observer)", "balance 1111…", [
    "wallet-balance",
  ])
    .argument("[address]", "vault address (default: the address of your key)")
    .option("--address <address>", "the same");
  runsOnNode(addDialectOption(addKeyOptions(balance)), host, async () => (await stateAnswers()).balance);

  const explore = begin(
    "explore",
    "run a program on a state without changing it (needs an observer)",
    "explore -e 'new return in { return!(1) }'",
    ["exploratory-deploy"],
  )
    .argument("[file]", "Rholang source; - reads the standard input")
    .option("-f, --file <file>", "the same")
    .option("-e, --term <rholang>", "program text")
    .option("-b, --block-hash <hash>", "block of the state (default: the last finalized block)")
    .option("--use-pre-state", "use the state before that block");
  runsOnNode(addDialectOption(explore, "else rnode"), host, async () => (await stateAnswers()).explore);

  const data = begin("data-at-name", "show the data on a channel", "data-at-name --deploy-id 3045…", [
    "listen-data-at-name",
  ])
    .option("--deploy-id <hex>", "deploy id of the channel to read, in the block that includes it")
    .option("--unforgeable <hex>", "unforgeable name")
    .option("--deployer <hex>", "public key of the deployer with the name to read")
    .option("--name <rholang>", "public name, for example '\"hello\"'")
    .addOption(new Option("-t, --type <kind>", "kind of --content").choices(["pub", "priv"]).default("pub").hideHelp())
    .addOption(new Option("-c, --content <text>", "name").hideHelp())
    .option("-b, --block-hash <hash>", "block to search")
    .addOption(new Option("--depth <n>", "number of newest heights to search").argParser(parseDepth).default(1));
  runsOnNode(addDialectOption(data, "else rnode"), host, async () => (await stateAnswers()).dataAtName);
}

function addValidatorCommands(begin: Begin, host: CommandHost): void {
  const bonds = begin("bonds", "list validators and stakes", "bonds");
  runsOnNode(bonds, host, async () => (await validatorAnswers()).bonds);

  const active = begin(
    "active-validators",
    "list validators that may propose now (needs an observer)",
    "active-validators",
  );
  runsOnNode(addDialectOption(active), host, async () => (await validatorAnswers()).activeValidators);

  for (const [name, summary, key] of [
    ["validator-status", "show stake and activity of a validator", "validatorStatus"],
    ["bond-status", "show whether a key is bonded (exit code 1: no)", "bondStatus"],
  ] as const) {
    const command = begin(name, summary, `${name} 04…`)
      .argument("[public-key]", "public key, 130 digits (default: of your key)")
      .option("-k, --public-key <hex>", "the same");
    runsOnNode(addDialectOption(addKeyOptions(command)), host, async () => (await validatorAnswers())[key]);
  }

  const epoch = begin("epoch-info", "show the lengths of epoch and quarantine (needs an observer)", "epoch-info");
  runsOnNode(addDialectOption(epoch), host, async () => (await stateAnswers()).epochInfo);

  const rewards = begin(
    "epoch-rewards",
    "show the rewards of validators in this epoch (needs an observer)",
    "epoch-rewards",
  );
  runsOnNode(addDialectOption(rewards), host, async () => (await stateAnswers()).epochRewards);
}

function addContractCommands(begin: Begin, host: CommandHost): void {
  const call = begin(
    "call",
    "call a registered contract on a state without changing it (needs an observer)",
    "call rho:vault:system -m findOrCreate '\"1111…\"'",
  )
    .argument("[uri]", "registry URI of the contract")
    .argument("[arguments...]", "arguments as Rholang terms, strings in quotes; the return channel is added")
    .option("-m, --method <name>", "method name, passed as first argument")
    .option("-b, --block-hash <hash>", "block of the state (default: the last finalized block)");
  runsOnNode(call, host, async () => (await contractAnswers()).callContract);

  const registry = begin(
    "registry",
    "show the entry of a registry URI (exit code 1: none; needs an observer)",
    "registry rho:id:…",
  )
    .argument("[uri]", "registry URI, for example rho:id:…")
    .option("-b, --block-hash <hash>", "block of the state (default: the last finalized block)");
  runsOnNode(registry, host, async () => (await contractAnswers()).registryEntry);
}
