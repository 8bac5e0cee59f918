import { LightBlockInfoSchema } from "@vedette/api/grpc";
import { toHex } from "@vedette/crypto";
import type { CommandAnswer } from "./CommandAnswer.js";
import { awaitDeploy, deployIdBytes, deployState, resultAnswer } from "./deployResult.js";
import { summaryOf } from "./deploySummary.js";
import { messageAnswer } from "./messageAnswer.js";
import { type NodeCommand, textOption } from "./NodeCommand.js";

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
