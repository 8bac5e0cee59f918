import { type Static, traceDeployRoute } from "@vedette/api";
import { callRoute, HttpConnection } from "@vedette/client";
import { toHex } from "@vedette/crypto";
import { resolveHttpUrl } from "../context/nodePlace.js";
import type { CommandAnswer } from "./CommandAnswer.js";
import type { CommandHost } from "./CommandHost.js";
import { apiKeyHeaders } from "./CommandHost.js";
import { deployIdBytes } from "./deployResult.js";
import { type Options, textOption } from "./NodeCommand.js";
import { placeText, stepLines } from "./stepLines.js";

type Trace = Static<(typeof traceDeployRoute)["answer"]["schema"]>;

/** The node replays the block up to the deploy. */
const patienceMs = 90_000;

/** `vedette trace <deploy id>`. @throws {CommandError} {ClientError} @spec 41 §8.5 */
export async function trace(host: CommandHost, options: Options, given: string | undefined): Promise<CommandAnswer> {
  const id = toHex(deployIdBytes(given ?? textOption(options, "deployId")));
  const block = textOption(options, "block");
  const url = resolveHttpUrl(host, options);
  const connection = new HttpConnection({ url, timeoutMs: patienceMs, retries: 0, headers: apiKeyHeaders(host) });
  const traced = await callRoute(connection, traceDeployRoute, {
    params: { id },
    query: block === undefined ? {} : { block },
  });
  return { text: traceText(traced), json: traced };
}

/** A trace for people: a line for each step. */
function traceText(trace: Trace): string {
  const { block, cost, parsingPhlo, otherPhlo, systemDeployError, errors, unfinished, isCut, steps } = trace;
  const lines = [
    `deploy ${trace.deployId}`,
    `in block #${block.blockNumber} ${block.blockHash}, cost ${cost}: ${parsingPhlo} for its text, ${otherPhlo} for what is no step`,
    ...(systemDeployError === "" ? [] : [`It did not run: ${systemDeployError}`]),
    "",
    ...stepLines(steps),
    ...(isCut ? ["… and more steps, which are not shown"] : []),
    ...errors.map(({ class: name, text, line, column }) => `${name} at ${placeText(line, column)}: ${text}`),
    ...(errors.length === 0
      ? []
      : unfinished.map(({ line, column }) => `The send or receive at ${placeText(line, column)} came to no operation`)),
  ];
  return lines.join("\n");
}
