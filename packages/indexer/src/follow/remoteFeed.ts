import { setTimeout as sleep } from "node:timers/promises";
import { feedRoute } from "@vedette/api";
import { IndexError } from "../IndexError.js";
import { feedJson, parseFeedJson } from "./feedJson.js";
import { type CallFeed, PortFeed } from "./PortFeed.js";

/** How often a node is asked for news. */
const lookMs = 1_000;
const timeoutMs = 120_000;

/** A chain that a node tells over the operator's HTTP API. @param url of that API @spec 60 §8 */
export function remoteFeed(url: string): PortFeed {
  const place = `${url.replace(/\/$/, "")}${feedRoute.paths[0]}`;
  const call = (async (method: string, argument: unknown) => {
    try {
      const body = feedJson({ method, ...(argument === undefined ? {} : { argument }) });
      const answer = await fetch(place, { method: "POST", body, signal: AbortSignal.timeout(timeoutMs) });
      const text = await answer.text();
      if (!answer.ok) throw new TypeError(`status ${answer.status}: ${text.slice(0, 200)}`);
      return (parseFeedJson(text) as { readonly result: unknown }).result;
    } catch (error) {
      throw new IndexError({ code: "noNode", url }, error);
    }
  }) as CallFeed;
  return new PortFeed(call, (signal) => sleep(lookMs, undefined, { signal }).catch(() => undefined));
}
