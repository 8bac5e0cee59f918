import { setTimeout as sleep } from "node:timers/promises";
import { type JsonValue, printJson } from "@vedette/api";
import { HttpClient } from "@vedette/client";
import { LiveText } from "@vedette/terminal";
import type { CommandAnswer } from "../client/CommandAnswer.js";
import type { CommandHost } from "../client/CommandHost.js";
import { apiKeyHeaders } from "../client/CommandHost.js";
import type { Options } from "../client/NodeCommand.js";
import { resolveHttpUrl } from "../context/nodePlace.js";
import { exitCodes } from "../exitCodes.js";
import { type NodeStatusSample, readNode } from "./readNode.js";
import { lookJson, lookLine, renderLook } from "./topView.js";

const msPerSecond = 1_000;
const answerMs = 5_000;

/** `vedette top`: a live view on a terminal, a line for each look elsewhere. @spec 50 §8.1 */
export async function runTop(
  host: CommandHost,
  options: Options,
  { signal }: { readonly signal: AbortSignal },
): Promise<CommandAnswer | undefined> {
  const url = resolveHttpUrl(host, options);
  const client = new HttpClient({ url, timeoutMs: answerMs, retries: 0, headers: apiKeyHeaders(host) });
  const most = (options["count"] as number | undefined) ?? Number.POSITIVE_INFINITY;
  const isJson = options["json"] === true;
  let look: NodeStatusSample | undefined;
  // The first reading may throw: a wrong address is an error at once.
  look = await readNode(client, undefined);
  const live =
    host.screen === undefined || isJson
      ? undefined
      : new LiveText(host.screen, ({ width }) => renderLook({ look: look!, url, width, paint: host.paint }));
  try {
    for (let looks = 1; ; looks += 1) {
      if (live !== undefined) live.paint();
      else host.print(lookText(look, isJson));
      if (looks >= most || signal.aborted) break;
      await sleep(Number(options["interval"] ?? 1) * msPerSecond, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      const before: NodeStatusSample = look;
      look = await readNode(client, before).catch((error: unknown) => ({
        ...before,
        failure: String((error as Error).message),
      }));
    }
  } finally {
    live?.end();
  }
  return signal.aborted ? { text: "", json: null, exitCode: exitCodes.interrupted, isPrinted: true } : undefined;
}

function lookText(look: NodeStatusSample, isJson: boolean): string {
  return isJson ? printJson(lookJson(look) as JsonValue) : lookLine(look);
}
