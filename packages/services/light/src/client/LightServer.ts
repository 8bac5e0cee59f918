import {
  blockBytesRoute,
  lightDeployRoute,
  lightExploreRoute,
  lightPathRoute,
  lightRegistryRoute,
  lightUpdateRoute,
  type RouteContract,
  type Static,
  statePiecesRoute,
  stateRoutes,
  type TSchema,
} from "@vedette/api";
import { type CallOptions, ClientError, callRoute, HttpConnection, type RouteArguments } from "@vedette/client";
import { fromHex, toHex } from "@vedette/crypto";
import type { StatePiece } from "@vedette/tuplespace";
import { type LightUpdate, maxUpdateBytes } from "../LightUpdate.js";
import { unpackUpdate } from "../packedUpdate.js";
import type { TrustedBlock } from "../TrustedBlock.js";

/** The options of requests to servers. */
export interface LightServerOptions {
  /** The longest that one answer may take, in milliseconds; 30 s if left out. */
  readonly timeoutMs?: number | undefined;
  /** The largest answer that is read, in bytes; enough for the largest update if left out. */
  readonly maxAnswerBytes?: number | undefined;
  /** Ends every call. */
  readonly signal?: AbortSignal | undefined;
  readonly fetch?: typeof fetch | undefined;
}

/** The program that reads a state: a look-up in the registry, or any program. */
export type ReadingProgram = { readonly uri: string } | { readonly term: string };

/** Hexadecimal digits of the largest update, and what is around them. */
const usualMaxAnswerBytes = 2 * maxUpdateBytes + (1 << 20);

/** A node that serves a light client; all its answers are claims. @spec 70 §9 */
export class LightServer {
  readonly url: string;
  readonly #http: HttpConnection;

  /** @throws {ClientError} `badArgument` */
  constructor(
    url: string,
    { timeoutMs, maxAnswerBytes = usualMaxAnswerBytes, signal, fetch }: LightServerOptions = {},
  ) {
    this.#http = new HttpConnection({
      ...{ url, retries: 0, maxAnswerBytes },
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(signal === undefined ? {} : { signal }),
      ...(fetch === undefined ? {} : { fetch }),
    });
    this.url = this.#http.url;
  }

  /** The bytes of a block. @throws {ClientError} */
  async block(hash: Uint8Array, options?: CallOptions): Promise<Uint8Array> {
    const { bytes } = await this.#call(blockBytesRoute, { params: { hash: toHex(hash) } }, options);
    return this.#bytes(bytes);
  }

  /**
   * @returns `undefined` where it shows no newer block
   * @throws {ClientError}
   * @throws {LightError} `form`, `tooLarge`
   */
  async update(
    { hash, known }: Pick<TrustedBlock, "hash" | "known">,
    thresholdPpm: number,
    options?: CallOptions,
  ): Promise<LightUpdate | undefined> {
    const query = { trusted: toHex(hash), thresholdPpm, packed: true };
    const { target, blocks, packed } = await this.#call(lightUpdateRoute, { query }, options);
    if (target === null) return undefined;
    if (packed !== undefined) return unpackUpdate(this.#bytes(packed), known);
    return { target: fromHex(target.blockHash), blocks: blocks.map((one) => this.#bytes(one)) };
  }

  /**
   * The blocks from one down to another in its past, or along the main chain down to a number.
   *
   * @throws {ClientError}
   */
  async path(
    from: Uint8Array,
    end: { readonly to: Uint8Array } | { readonly number: bigint },
    options?: CallOptions,
  ): Promise<readonly Uint8Array[]> {
    const query = { from: toHex(from), ...("to" in end ? { to: toHex(end.to) } : end) };
    const { blocks } = await this.#call(lightPathRoute, { query }, options);
    return blocks.map((one) => this.#bytes(one));
  }

  /** The blocks from one down to that of a deploy. @throws {ClientError} */
  async deploy(signature: Uint8Array, from: Uint8Array, options?: CallOptions): Promise<readonly Uint8Array[]> {
    const given = { params: { id: toHex(signature) }, query: { from: toHex(from) } };
    const { blocks } = await this.#call(lightDeployRoute, given, options);
    return blocks.map((one) => this.#bytes(one));
  }

  /** A proof of the data on a name, unchecked. @param name bytes of its `Par` message @throws {ClientError} */
  async dataProof(root: Uint8Array, name: Uint8Array, options?: CallOptions): Promise<unknown> {
    const query = { par: [toHex(name)], proof: true, limit: 0 };
    const { proof } = await this.#call(stateRoutes.data, { params: { root: toHex(root) }, query }, options);
    return proof;
  }

  /**
   * Nodes and leaves of states, unchecked, in the order of their hashes; an answer may have the first of them only.
   *
   * @throws {ClientError} also where it lacks one
   */
  async statePieces(hashes: readonly Uint8Array[], options?: CallOptions): Promise<readonly Uint8Array[]> {
    const { pieces } = await this.#call(statePiecesRoute, { body: { hashes: hashes.map(toHex) } }, options);
    const found = pieces.slice(0, hashes.length).flatMap((piece) => (piece === null ? [] : this.#bytes(piece)));
    if (found.length === Math.min(pieces.length, hashes.length) && found.length > 0) return found;
    const facts = { address: this.url, call: "statePieces", reason: "it does not have a piece of the state" };
    throw new ClientError({ code: "notUnderstood", ...facts });
  }

  /**
   * The pieces of a state that a program reads, unchecked; not all of them, where they are large.
   *
   * @param block the hash of the block after which it reads
   * @throws {ClientError}
   */
  async piecesRead(program: ReadingProgram, block: Uint8Array, options?: CallOptions): Promise<readonly StatePiece[]> {
    const at = { block: toHex(block) };
    const { pieces } =
      "uri" in program
        ? await this.#call(lightRegistryRoute, { params: { uri: program.uri }, query: at }, options)
        : await this.#call(lightExploreRoute, { body: { term: program.term, ...at } }, options);
    return pieces.map(({ hash, bytes }) => ({ hash: this.#bytes(hash), bytes: this.#bytes(bytes) }));
  }

  #call<Params extends TSchema, Query extends TSchema, Body extends TSchema, Answer extends TSchema>(
    route: RouteContract<Params, Query, Body, Answer>,
    given: RouteArguments<Params, Query, Body>,
    options: CallOptions = {},
  ): Promise<Static<Answer>> {
    return callRoute(this.#http, route, given, options);
  }

  #bytes(digits: string): Uint8Array {
    try {
      return fromHex(digits);
    } catch (cause) {
      const facts = { address: this.url, call: "light", reason: "bytes are no hexadecimal text" };
      throw new ClientError({ code: "notUnderstood", ...facts }, { cause });
    }
  }
}
