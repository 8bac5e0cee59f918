import { devRoute, faucetRoute } from "@vedette/api/development";
import { ClientError, callRoute, HttpConnection, nativeTokenOf } from "@vedette/client";
import { adminPlace } from "../context/nodePlace.js";
import { exitCodes } from "../exitCodes.js";
import { printAmount, unitsOf } from "./amount.js";
import type { CommandAnswer } from "./CommandAnswer.js";
import { CommandError } from "./CommandError.js";
import type { CommandHost } from "./CommandHost.js";
import type { GivenAmount } from "./givenAmount.js";
import type { Options } from "./NodeCommand.js";

/** A block of a chain with a rhythm may take its time. */
const patienceMs = 120_000;
/** In the smallest unit. */
const usualGift = 100_000_000_000n;

/** `vedette faucet`. @throws {CommandError} {ClientError} */
export async function faucet(host: CommandHost, options: Options, address = ""): Promise<CommandAnswer> {
  const url = adminPlace(host, options);
  const connection = new HttpConnection({ url, timeoutMs: patienceMs, retries: 0 });
  const onDevNode = async <T>(asked: Promise<T>) => {
    try {
      return await asked;
    } catch (error) {
      throw isNoDevNode(error) ? new CommandError({ code: "noDevChain", url }) : error;
    }
  };
  const token = nativeTokenOf(await onDevNode(callRoute(connection, devRoute, {})));
  const given = options["amount"] as GivenAmount | undefined;
  const amount = given === undefined ? usualGift : unitsOf(given, "--amount", token);
  const answer = await onDevNode(
    callRoute(connection, faucetRoute, { body: { address, amount } }, { isRepeatable: false }),
  );
  const { deployId, blockHash, blockNumber, cost, errored, systemDeployError } = answer;
  const failure = systemDeployError || (errored ? "the transfer failed" : "");
  const text =
    failure === ""
      ? `${printAmount(amount, token)} to ${address}\nin block #${blockNumber} ${blockHash}\ndeploy ${deployId}, ${cost} phlo`
      : `The faucet gave nothing: ${failure}\ndeploy ${deployId}`;
  return { text, json: { ...answer, amount }, exitCode: failure === "" ? exitCodes.success : exitCodes.failure };
}

/** A node that is no chain for development has no such route. */
function isNoDevNode(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false;
  const { failure } = error;
  return failure.code === "notOffered" || (failure.code === "refused" && failure.status === 404);
}
