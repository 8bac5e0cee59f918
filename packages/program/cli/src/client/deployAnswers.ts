import { LightBlockInfoSchema } from "@vedette/api/grpc";
import {
  addressOfKey,
  bondWithResultTerm,
  buildDeploy,
  ClientError,
  transferWithResultTerm,
  unbondWithResultTerm,
  validAfterLatest,
} from "@vedette/client";
import { toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { DeployKey } from "@vedette/protocol";
import { printAmount, unitsOf } from "./amount.js";
import type { CommandAnswer } from "./CommandAnswer.js";
import { CommandError } from "./CommandError.js";
import type { DeployResult } from "./commandResult.js";
import { awaitDeploy, deployIdBytes, deployState, resultAnswer } from "./deployResult.js";
import { summaryOf } from "./deploySummary.js";
import type { GivenAmount } from "./givenAmount.js";
import { messageAnswer } from "./messageAnswer.js";
import { type NodeCommand, requireKeyOf, textOption } from "./NodeCommand.js";
import { networkDialect, networkFacts } from "./networkFacts.js";
import { proposeWithHint } from "./proposeRefusal.js";
import { readProgram } from "./readProgram.js";
import { submitDeployToNodes } from "./submitDeployToNodes.js";

/** `vedette deploy`. @spec 50 §5.6 */
export async function deploy(command: NodeCommand, file: string | undefined): Promise<CommandAnswer> {
  const path = file ?? textOption(command.options, "file");
  if (path === undefined)
    throw new CommandError({ code: "missingArgument", expected: "the file to deploy: -f <file>" });
  // The key first: if it is missing, that is the error to report.
  const key = await requireKeyOf(command.options, command.host);
  const term = await readProgram(path, command.host);
  return resultAnswer(await send(command, key, term));
}

/** `vedette full-deploy`: deploys, requests a block and waits until one holds the deploy. @spec 50 §8.1 */
export async function fullDeploy(command: NodeCommand, file: string | undefined): Promise<CommandAnswer> {
  const options = { ...command.options, waitIncluded: true, propose: true };
  return deploy({ ...command, options }, file);
}

/** `vedette propose`. @spec 50 §5.6 */
export async function propose({ client, options }: NodeCommand): Promise<CommandAnswer> {
  // Quirk 50 §5.6: rnode sends its --print-unmatched-sends as the request not to wait.
  const isAsync = options["async"] === true || options["printUnmatchedSends"] === true;
  const response = await proposeWithHint(() => client.propose({ isAsync }));
  const blockHash = /^Success! Block ([0-9a-f]+) created and added\.$/.exec(response)?.[1] ?? null;
  return { text: `Response: ${response}`, json: { response, blockHash } };
}

/** `vedette transfer`. @spec 41 §10.2 */
export async function transfer(command: NodeCommand): Promise<CommandAnswer> {
  const { options, host } = command;
  const key = await requireKeyOf(options, host);
  const from = addressOfKey(key);
  const to = textOption(options, "to") ?? textOption(options, "toAddress");
  if (to === undefined) throw new CommandError({ code: "missingArgument", expected: "the recipient: --to <address>" });
  const { dialect, token } = await networkFacts(command);
  const amount = unitsOf(options["amount"] as GivenAmount, "--amount", token);
  const term = transferWithResultTerm(from, to, amount, dialect);
  const head = `Transfer of ${printAmount(amount, token)} from ${from} to ${to}`;
  return resultAnswer(await send(command, key, term), { head, facts: { from, to, amount } });
}

/** `vedette bond`. @spec 41 §10.4 */
export async function bond(command: NodeCommand): Promise<CommandAnswer> {
  const key = await requireKeyOf(command.options, command.host);
  const { dialect, token } = await networkFacts(command);
  const stake = unitsOf(command.options["stake"] as GivenAmount, "--stake", token);
  const head = `Bond of ${printAmount(stake, token)}`;
  return resultAnswer(await send(command, key, bondWithResultTerm(stake, dialect)), { head, facts: { stake } });
}

/** `vedette unbond`. @spec 41 §10.5 */
export async function unbond(command: NodeCommand): Promise<CommandAnswer> {
  const key = await requireKeyOf(command.options, command.host);
  return resultAnswer(await send(command, key, unbondWithResultTerm(await networkDialect(command))), {
    head: "Unbond",
    facts: {},
  });
}

/** Signs and submits a deploy, requests a block and waits according to the options. */
async function send(command: NodeCommand, key: DeployKey, term: string): Promise<DeployResult> {
  const { client, options, host } = command;
  const validAfter = options["validAfterBlockNumber"] as bigint | undefined;
  const deploy = buildDeploy(
    {
      term,
      timestamp: BigInt(Date.now()),
      validAfterBlockNumber: validAfter ?? validAfterLatest((await client.latestBlock()).blockNumber),
      phloLimit: options["phloLimit"] as bigint,
      phloPrice: options["phloPrice"] as bigint,
      shardId: textOption(options, "shardId"),
    },
    key,
  );
  const deployId = await submitDeployToNodes(command, deploy);
  if (options["propose"] === true) await proposeFor(command);
  const until = options["wait"] === true ? "finalized" : options["waitIncluded"] === true ? "included" : undefined;
  if (until === undefined) return { deployId, status: "accepted" };
  host.note(`Success! DeployId is: ${deployId}`);
  try {
    return await awaitDeploy(command, deployId, until);
  } catch (error) {
    const reason = errorText(error);
    throw new CommandError({ code: "unsettled", deployId, reason }, { cause: error });
  }
}

/** A proposal that fails is no reason to give the deploy up: another validator, or a later block, takes it. */
async function proposeFor({ client, host }: NodeCommand): Promise<void> {
  try {
    host.note(await proposeWithHint(() => client.propose()));
  } catch (error) {
    const isRefusal = error instanceof CommandError && error.failure.code === "noBlock";
    if (!isRefusal && !(error instanceof ClientError && error.failure.code === "refused")) throw error;
    host.note(error.message);
  }
}

/** `vedette deploy-status <deploy id>`. @spec 50 §8.1 */
export async function deployStatus(command: NodeCommand, given: string | undefined): Promise<CommandAnswer> {
  const id = deployIdBytes(given ?? textOption(command.options, "deployId"));
  const result = await deployState(command.client, id, toHex(id));
  return resultAnswer(result, undefined, await summaryOf(command, result));
}

/** `vedette wait <deploy id>`. @spec 50 §8.1 */
export async function wait(command: NodeCommand, given: string | undefined): Promise<CommandAnswer> {
  const id = toHex(deployIdBytes(given ?? textOption(command.options, "deployId")));
  return resultAnswer(await awaitDeploy(command, id, command.options["included"] === true ? "included" : "finalized"));
}

/** `vedette find-deploy`: the block that holds a deploy. @spec 50 §5.6 */
export async function findDeploy({ client, options }: NodeCommand, given: string | undefined): Promise<CommandAnswer> {
  const block = await client.findDeploy(deployIdBytes(given ?? textOption(options, "deployId")));
  return messageAnswer(LightBlockInfoSchema, block);
}
