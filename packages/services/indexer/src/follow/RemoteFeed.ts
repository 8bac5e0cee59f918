import { setTimeout as sleep } from "node:timers/promises";
import { feedRoute } from "@vedette/api";
import type { FinalDeployStatus } from "@vedette/chain";
import { HttpClient, loginApart } from "@vedette/client";
import type { JudgedFacts } from "../facts/IndexBlockFacts.js";
import { IndexError } from "../IndexError.js";
import { PublicChain } from "../publicApi/PublicChain.js";
import { PublicFeed } from "../publicApi/PublicFeed.js";
import type { ChainFeed, FeedBlocks, FeedChanges, FeedFacts, FeedTop } from "./ChainFeed.js";
import { feedJson, parseFeedJson } from "./feedJson.js";
import { type CallFeed, PortFeed } from "./PortFeed.js";

/** The interval of requests for news. */
const lookMs = 1_000;
const timeoutMs = 120_000;

/**
 * A chain that another node supplies: by `/v2/feed` of its operator's HTTP API, or by the HTTP API that all nodes of the
 * family have where that is not offered. Which of them is found out when it answers for the first time.
 *
 * @spec 60 §8, §8.1
 */
export class RemoteFeed implements ChainFeed {
  readonly #given: string;
  /** Without what logs in. */
  readonly #url: string;
  readonly #login: string | undefined;
  readonly #onPublic: () => void;
  #chosen: ChainFeed | undefined;

  /** @param onPublic called when it is found out that the node offers only its public API */
  constructor(url: string, onPublic: () => void = () => {}) {
    this.#given = url;
    ({ url: this.#url, login: this.#login } = loginApart(url));
    this.#onPublic = onPublic;
  }

  async about(): Promise<FeedFacts> {
    return (await this.#feed()).about();
  }

  async top(): Promise<FeedTop> {
    return (await this.#feed()).top();
  }

  async blocks(from: bigint): Promise<FeedBlocks> {
    return (await this.#feed()).blocks(from);
  }

  async changes(cursor: string): Promise<FeedChanges> {
    return (await this.#feed()).changes(cursor);
  }

  async verdicts(deploys: readonly JudgedFacts[]): Promise<readonly (FinalDeployStatus | undefined)[]> {
    return (await (await this.#feed()).verdicts?.(deploys)) ?? [];
  }

  async wait(signal: AbortSignal): Promise<void> {
    await (this.#chosen?.wait(signal) ?? pause(signal));
  }

  async #feed(): Promise<ChainFeed> {
    if (this.#chosen !== undefined) return this.#chosen;
    const { status } = await this.#ask("about", undefined);
    if (status !== notOffered) {
      this.#chosen = new PortFeed(this.#call as CallFeed, pause);
      return this.#chosen;
    }
    const client = new HttpClient(this.#given);
    await client.apiStatus();
    this.#onPublic();
    this.#chosen = new PublicFeed(new PublicChain(client));
    return this.#chosen;
  }

  #call = async (method: string, argument: unknown): Promise<unknown> => {
    const { status, text } = await this.#ask(method, argument);
    if (status === notOffered)
      throw new IndexError({ code: "noNode", url: this.#url }, { cause: new TypeError("status 404") });
    return (parseFeedJson(text) as { readonly result: unknown }).result;
  };

  async #ask(method: string, argument: unknown): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const body = feedJson({ method, ...(argument === undefined ? {} : { argument }) });
      const place = `${this.#url}${feedRoute.paths[0]}`;
      const login = this.#login === undefined ? {} : { authorization: this.#login };
      const headers = { "content-type": "application/json", ...login };
      const answer = await fetch(place, {
        ...{ method: "POST", headers, body, redirect: "manual" },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await answer.text();
      if (!answer.ok && answer.status !== notOffered)
        throw new TypeError(`status ${answer.status}: ${text.slice(0, 200)}`);
      return { status: answer.status, text };
    } catch (error) {
      throw new IndexError({ code: "noNode", url: this.#url }, { cause: error });
    }
  }
}

const notOffered = 404;

const pause = (signal: AbortSignal) => sleep(lookMs, undefined, { signal }).catch(() => undefined);
