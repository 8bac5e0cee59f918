import { faucetRoute } from "@vedette/api/development";
import { ClientError, callRoute, HttpConnection } from "@vedette/client";
import { adminPlace } from "../context/nodePlace.js";
import { exitCodes } from "../exitCodes.js";
import { printAmount } from "./amount.js";
import type { CommandAnswer } from "./CommandAnswer.js";
import { CommandError } from "./CommandError.js";
import type { CommandHost } from "./CommandHost.js";
import type { Options } from "./NodeCommand.js";

/** A block of a chain with a rhythm may take its time. */
const patienceMs = 120_000;
/** 1,000 ASI. */
const usualGift = 100_000_000_000n;

/** `vedette faucet`. @throws {CommandError} {ClientError} */
export async function faucet(host: CommandHost, options: Options, address = ""): Promise<CommandAnswer> {
  const amount = (options["amount"] as bigint | undefined) ?? usualGift;
  const url = adminPlace(host, options);
  const answer = await callRoute(
    new HttpConnection({ url, timeoutMs: patienceMs, retries: 0 }),
    faucetRoute,
    { body: { address, amount } },
    { isRepeatable: false },
  ).catch((error: unknown) => {
    throw isNoDevNode(error) ? new CommandError({ code: "noDevChain", url }) : error;
  });
  const { deployId, blockHash, blockNumber, cost, errored, systemDeployError } = answer;
  const failure = systemDeployError || (errored ? "the transfer failed" : "");
  const text =
    failure === ""
      ? `${printAmount(amount)} to ${address}\nin block #${blockNumber} ${blockHash}\ndeploy ${deployId}, ${cost} phlo`
      : `The faucet gave nothing: ${failure}\ndeploy ${deployId}`;
  return { text, json: { ...answer, amount }, exitCode: failure === "" ? exitCodes.success : exitCodes.failure };
}

/** A node that is no chain for development has no such route. */
function isNoDevNode(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false;
  const { failure } = error;
  return failure.code === "notOffered" || (failure.code === "refused" && failure.status === 404);
}
