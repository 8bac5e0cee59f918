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

/** Commands that only ask. @spec 50 §5.6, §8.1 */
export function addReadCommands(vedette: Command, host: CommandHost): void {
  const begin: Begin = (name, summary, example, aliases = []) =>
    beginNodeCommand(vedette, host, grpcPorts.external, { name, aliases, summary, example });
  const status = begin(
    "status",
    "show the node's version, address and peers, and what is wrong with it",
    "status -H localhost -p 40401",
  );
  status.addOption(
    new Option(
      "--http-port <port>",
      "its HTTP port, which tells what is wrong with it (default: that of the context, or 40403)",
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
  const blocks = begin("blocks", "list the newest blocks, or those between two heights", "blocks 10", [
    "get-blocks-by-height",
  ])
    .addArgument(new Argument("[depth]", "how many heights (default: 1)").argParser((text) => String(parseDepth(text))))
    .addOption(new Option("-n, --number <n>", "the same").argParser(parseDepth))
    .addOption(new Option("-s, --start-block <n>", "lowest height").argParser(parseHeight))
    .addOption(new Option("-e, --end-block <n>", "highest height").argParser(parseHeight))
    .option("--block-hash <hash>", "one block, as `block` shows it");
  runsOnNode(blocks, host, async () => {
    const { blocks: run } = await blockAnswers();
    return (command, depth) => run(command, depth === undefined ? undefined : Number(depth));
  });

  const show = begin("show-blocks", "show the newest blocks in full", "show-blocks --depth 3");
  show.addOption(new Option("--depth <n>", "how many heights").argParser(parseDepth).default(1));
  runsOnNode(show, host, async () => (await blockAnswers()).showBlocks);

  const block = begin("block", "show a block", "block 3fa1b2", ["show-block"])
    .argument("[hash]", "at least 6 digits of it")
    .option("-b, --block-hash <hash>", "the same");
  runsOnNode(block, host, async () => (await blockAnswers()).block);

  const last = begin("last-finalized-block", "show the last finalized block", "last-finalized-block --json", ["lfb"]);
  runsOnNode(last, host, async () => (await blockAnswers()).lastFinalizedBlock);

  const isFinalized = begin(
    "is-finalized",
    "tell whether a block is finalized (exit code 1: no)",
    "is-finalized 3fa1b2 --wait",
  )
    .argument("[hash]", "at least 6 digits of it")
    .option("-b, --block-hash <hash>", "the same")
    .option("--wait", "wait until it is")
    .addOption(waitTimeoutOption());
  runsOnNode(isFinalized, host, async () => (await blockAnswers()).isFinalized);
}

function addChainCommands(begin: Begin, host: CommandHost): void {
  const chain = begin("show-main-chain", "list the main chain from its tip down", "show-main-chain -d 10");
  chain.addOption(new Option("-d, --depth <n>", "how many heights").argParser(parseDepth).default(10));
  runsOnNode(chain, host, async () => (await blockAnswers()).mainChain);

  const dag = begin("dag", "draw the DAG in the language of Graphviz", "dag --depth 20 | dot -Tsvg > dag.svg", ["vdag"])
    .addOption(
      new Option("-d, --depth <n>", "how many heights (-1: the node's limit)").argParser(parseDagDepth).default(-1),
    )
    .option("--justifications", "draw justifications, too")
    .addOption(new Option("--showJustificationlines").hideHelp());
  runsOnNode(dag, host, async () => (await blockAnswers()).dag);

  const mvdag = begin("mvdag", "list the DAG: a line for a block and each of its parents", "mvdag");
  runsOnNode(mvdag, host, async () => (await blockAnswers()).mvdag);
}

function addStateCommands(begin: Begin, host: CommandHost): void {
  const balance = begin("balance", "show the balance of an address (asks an observer)", "balance 1111…", [
    "wallet-balance",
  ])
    .argument("[address]", "vault address (default: that of your key)")
    .option("--address <address>", "the same");
  runsOnNode(addDialectOption(addKeyOptions(balance)), host, async () => (await stateAnswers()).balance);

  const explore = begin(
    "explore",
    "run a program on a state and forget it (asks an observer)",
    "explore -e 'new return in { return!(1) }'",
    ["exploratory-deploy"],
  )
    .argument("[file]", "Rholang source; - reads the standard input")
    .option("-f, --file <file>", "the same")
    .option("-e, --term <rholang>", "the program itself")
    .option("-b, --block-hash <hash>", "on this block's state (default: the last finalized block's)")
    .option("--use-pre-state", "on the state before that block");
  runsOnNode(addDialectOption(explore, "or rnode-scala"), host, async () => (await stateAnswers()).explore);

  const data = begin("data-at-name", "show what lies on a channel", "data-at-name --deploy-id 3045…", [
    "listen-data-at-name",
  ])
    .option("--deploy-id <hex>", "channel of a deploy; looks in the block that holds it")
    .option("--unforgeable <hex>", "an unforgeable name")
    .option("--deployer <hex>", "name of a deployer: a public key")
    .option("--name <rholang>", "a public name, for example '\"hello\"'")
    .addOption(new Option("-t, --type <kind>", "what --content is").choices(["pub", "priv"]).default("pub").hideHelp())
    .addOption(new Option("-c, --content <text>", "a name").hideHelp())
    .option("-b, --block-hash <hash>", "in this block")
    .addOption(new Option("--depth <n>", "in so many of the newest heights").argParser(parseDepth).default(1));
  runsOnNode(addDialectOption(data, "or rnode-scala"), host, async () => (await stateAnswers()).dataAtName);
}

function addValidatorCommands(begin: Begin, host: CommandHost): void {
  const bonds = begin("bonds", "list validators and stakes", "bonds");
  runsOnNode(bonds, host, async () => (await validatorAnswers()).bonds);

  const active = begin("active-validators", "list who may propose now (asks an observer)", "active-validators");
  runsOnNode(addDialectOption(active), host, async () => (await validatorAnswers()).activeValidators);

  for (const [name, summary, key] of [
    ["validator-status", "show stake and activity of a validator", "validatorStatus"],
    ["bond-status", "tell whether a key is bonded (exit code 1: no)", "bondStatus"],
  ] as const) {
    const command = begin(name, summary, `${name} 04…`)
      .argument("[public-key]", "130 digits (default: that of your key)")
      .option("-k, --public-key <hex>", "the same");
    runsOnNode(addDialectOption(addKeyOptions(command)), host, async () => (await validatorAnswers())[key]);
  }

  const epoch = begin("epoch-info", "show the lengths of epoch and quarantine (asks an observer)", "epoch-info");
  runsOnNode(addDialectOption(epoch), host, async () => (await stateAnswers()).epochInfo);

  const rewards = begin(
    "epoch-rewards",
    "show what validators earned in this epoch (asks an observer)",
    "epoch-rewards",
  );
  runsOnNode(addDialectOption(rewards), host, async () => (await stateAnswers()).epochRewards);
}

function addContractCommands(begin: Begin, host: CommandHost): void {
  const call = begin(
    "call",
    "call a registered contract on a state and forget it (asks an observer)",
    "call rho:vault:system -m findOrCreate '\"1111…\"'",
  )
    .argument("[uri]", "what the contract is registered as")
    .argument("[arguments...]", "Rholang terms, texts in quotes; the channel for the answer comes last by itself")
    .option("-m, --method <name>", "a first argument, as a text: the method that most contracts want")
    .option("-b, --block-hash <hash>", "on this block's state (default: the last finalized block's)");
  runsOnNode(call, host, async () => (await contractAnswers()).callContract);

  const registry = begin(
    "registry",
    "show what is registered as a URI (exit code 1: nothing; asks an observer)",
    "registry rho:id:…",
  )
    .argument("[uri]", "as rho:id:…")
    .option("-b, --block-hash <hash>", "in this block's state (default: the last finalized block's)");
  runsOnNode(registry, host, async () => (await contractAnswers()).registryEntry);
}
