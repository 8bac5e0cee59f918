import { type Command, Option } from "commander";
import { beginCommand, beginNodeCommand, defineLocalCommand, runsOnNode } from "./beginCommand.js";
import type { CommandHost } from "./CommandHost.js";
import {
  addDeployOptions,
  addDialectOption,
  addHttpOptions,
  addKeyOptions,
  addWaitOptions,
  amountOption,
  grpcPorts,
  waitTimeoutOption,
} from "./options.js";

const answers = () => import("./deployAnswers.js");
const statusAnswers = () => import("./deployAnswers.js");

/** Commands that write to the chain, and commands that show the results. @spec 50 §5.6, §8.1 */
export function addDeployCommands(vedette: Command, host: CommandHost): void {
  const begin = (name: string, summary: string, example: string, aliases: readonly string[] = []) =>
    beginNodeCommand(vedette, host, grpcPorts.internal, { name, aliases, summary, example });
  const signing = (command: Command) => addWaitOptions(addDeployOptions(addKeyOptions(command)));

  const moving = (command: Command) => addDialectOption(signing(command));

  const deploy = signing(begin("deploy", "deploy a program", "deploy -f program.rho --private-key-file my.key --wait"))
    .argument("[file]", "Rholang source; - reads the standard input")
    .option("-f, --file <file>", "the same");
  runsOnNode(deploy, host, async () => (await answers()).deploy);

  const full = begin(
    "full-deploy",
    "deploy, propose, and wait for the block",
    "full-deploy -f program.rho --private-key-file my.key",
  );
  signing(full).argument("[file]", "Rholang source").option("-f, --file <file>", "the same");
  runsOnNode(full, host, async () => (await answers()).fullDeploy);

  const deployAndWait = begin(
    "deploy-and-wait",
    "deploy and wait until it is finalized: deploy --wait",
    "deploy-and-wait -f program.rho --private-key-file my.key",
  );
  signing(deployAndWait).argument("[file]", "Rholang source").option("-f, --file <file>", "the same");
  runsOnNode(deployAndWait, host, async () => {
    const { deploy: run } = await answers();
    return (command, file) => run({ ...command, options: { ...command.options, wait: true } }, file);
  });

  const propose = begin("propose", "make the node propose a block", "propose -H localhost -p 40402")
    .option("--async", "do not wait for the block")
    .option("--print-unmatched-sends", "same as --print-unmatched-sends of rnode");
  // Published examples give a key here; the node signs with its own.
  addKeyOptions(propose);
  runsOnNode(propose, host, async () => (await answers()).propose);

  const transfer = moving(
    begin(
      "transfer",
      "transfer coins to an address",
      "transfer --to 1111… --amount 1.5ASI --private-key-file my.key --wait",
    ),
  )
    .option("--to <address>", "recipient")
    .option("--to-address <address>", "the same")
    .addOption(amountOption("--amount <amount>", "amount").makeOptionMandatory());
  runsOnNode(transfer, host, async () => (await answers()).transfer);

  const bond = moving(
    begin("bond", "bond the key as a validator", "bond --stake 1000 --private-key-file my.key --wait", [
      "bond-validator",
    ]),
  );
  bond.addOption(amountOption("--stake <amount>", "amount").makeOptionMandatory());
  runsOnNode(bond, host, async () => (await answers()).bond);

  const unbond = moving(
    begin("unbond", "unbond the key, which leaves the validators", "unbond --private-key-file my.key --wait", [
      "unbond-validator",
    ]),
  );
  runsOnNode(unbond, host, async () => (await answers()).unbond);

  addStatusCommands(vedette, host);
}

function addStatusCommands(vedette: Command, host: CommandHost): void {
  const begin = (name: string, summary: string, example: string, aliases: readonly string[] = []) =>
    beginNodeCommand(vedette, host, grpcPorts.external, { name, aliases, summary, example })
      .argument("[deploy-id]", "deploy id")
      .option("-d, --deploy-id <hex>", "the same");

  const status = begin("deploy-status", "show the status of a deploy", "deploy-status 3045…", ["get-deploy"]);
  status.addOption(new Option("--format <format>", "json is --json").choices(["text", "json"]).hideHelp());
  runsOnNode(status, host, async () => (await statusAnswers()).deployStatus);

  const wait = begin("wait", "wait until a deploy is finalized", "wait 3045… --wait-timeout 60")
    .option("--included", "wait only until a block includes it")
    .addOption(waitTimeoutOption());
  runsOnNode(wait, host, async () => (await statusAnswers()).wait);

  const trace = addHttpOptions(
    beginCommand(vedette, host, {
      name: "trace",
      summary: "show each step of a deploy with phlo and source position (needs an observer or `vedette dev`)",
      example: "trace 3045…",
    }),
  )
    .argument("[deploy-id]", "deploy id")
    .option("-d, --deploy-id <hex>", "the same")
    .option("--block <hash>", "block in which it ran (default: the block that counts)");
  defineLocalCommand(trace, host, async () => (await import("./traceAnswers.js")).trace);

  const find = begin("find-deploy", "show the block that includes a deploy", "find-deploy --deploy-id 3045…");
  runsOnNode(find, host, async () => (await statusAnswers()).findDeploy);
}
