import { fromHex, toHex } from "@vedette/crypto";
import { type Block, decodeBlock, hashKey } from "@vedette/protocol";
import { findPath } from "../findPath.js";
import type { LightRules } from "../LightRules.js";
import { makeUpdate } from "../makeUpdate.js";
import { knownBytes, packUpdate } from "../packedUpdate.js";
import { ChainSource } from "./ChainSource.js";

/** Changes the answer to a request; `undefined` refuses it. */
export type Lie = (path: string, answer: unknown, signal: AbortSignal) => unknown;

/** A node's routes for light clients over blocks that are at hand, with or without lies. */
export class TestServer {
  readonly #source: ChainSource;
  readonly #rules: LightRules;
  lie: Lie = (_, answer) => answer;
  /** Whether updates are sent in the packed form. */
  packs = false;
  asked = 0;

  constructor(blocks: readonly Block[], final: Block, rules: LightRules) {
    this.#source = new ChainSource(blocks, final);
    this.#rules = rules;
  }

  /** A `fetch` that reaches servers by their hosts, and nothing else. */
  static fetchOf(servers: Readonly<Record<string, TestServer>>): typeof fetch {
    return async (url, init) => {
      const { host, pathname, searchParams } = new URL(String(url));
      const server = servers[host];
      if (server === undefined) throw new TypeError("fetch failed");
      server.asked += 1;
      const answer = server.lie(pathname, await server.#answer(pathname, searchParams), init!.signal!);
      if (answer instanceof Response) return answer;
      return answer === undefined
        ? new Response('{"detail":"not here"}', {
            status: 404,
            headers: { "content-type": "application/problem+json" },
          })
        : new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
    };
  }

  async #answer(path: string, query: URLSearchParams): Promise<unknown> {
    const known = (digits: string | null) => this.#source.find(fromHex(digits!));
    const bytes = (hash: Uint8Array) => toHex(this.#source.bytesOf(hash)!);
    if (path.startsWith("/v2/block/")) {
      const block = known(path.split("/").at(-2)!);
      return block && { blockHash: toHex(block.hash), blockNumber: Number(block.number), bytes: bytes(block.hash) };
    }
    if (path === "/v2/light/path") {
      const from = known(query.get("from"));
      const [to, number] = [query.get("to"), query.get("number")];
      if (from === undefined) return undefined;
      const isEnd = (one: typeof from) =>
        to === null ? one.number <= BigInt(number!) : one.key === hashKey(fromHex(to));
      const found = findPath(this.#source, from, { isEnd, lowest: 0n, isMain: to === null });
      return found && { blocks: found.map(({ hash }) => bytes(hash)) };
    }
    if (path !== "/v2/light/update") return undefined;
    const trusted = known(query.get("trusted"));
    if (trusted === undefined) return undefined;
    const update = await makeUpdate(this.#source, trusted, this.#rules);
    const placed = (hash: Uint8Array) => ({
      blockHash: toHex(hash),
      blockNumber: Number(this.#source.find(hash)!.number),
    });
    const target = update === undefined ? null : placed(update.target);
    const answer = { trusted: placed(trusted.hash), target };
    if (update === undefined || !this.packs) return { ...answer, blocks: (update?.blocks ?? []).map(toHex) };
    const { blockForm } = this.#rules.dialect;
    const base = knownBytes(decodeBlock(this.#source.bytesOf(trusted.hash)!, blockForm));
    return { ...answer, blocks: [], packed: toHex(packUpdate(update, base)) };
  }
}
