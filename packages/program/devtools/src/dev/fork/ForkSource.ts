import { statePiecesRoute } from "@vedette/api";
import { ClientError, callRoute, HttpConnection } from "@vedette/client";
import { blake2b256, fromHex, toHex } from "@vedette/crypto";
import { errorText, withoutPasswords } from "@vedette/errors";
import type { PieceSource } from "@vedette/executor/threads";
import { hashKey } from "@vedette/protocol";
import { LmdbStore } from "@vedette/store";
import { childrenOf, isPieceOf, RadixNode, type SpaceDialect } from "@vedette/tuplespace";
import { ForkError } from "./ForkError.js";

const timeoutMs = 10_000;
/** The maximum of one request. */
const maxPieces = 256;
/** Requests at the same time. */
const maxRequests = 4;
/**
 * The number of pieces fetched at the start, level after level: all of a small state, and the upper levels of a large
 * one, which nearly every read passes.
 */
const maxAhead = 8_192;
const nodesTable = "history";

type Piece = Uint8Array | undefined;

/** Nodes and leaves of another node's states: fetched when they are wanted, checked by their hashes, kept. */
export class ForkSource implements PieceSource, AsyncDisposable {
  readonly keptDirectory: string;
  readonly #url: string;
  readonly #form: SpaceDialect;
  readonly #kept: LmdbStore;
  readonly #http: HttpConnection;
  /** Pieces that are known to be nodes, and not leaves: the pieces below them are wanted soon. */
  readonly #nodes = new Set<string>();
  readonly #onTheWay = new Map<string, Promise<Piece>>();

  /** @param keptDirectory an existing directory, for what is fetched @throws {StoreError} */
  constructor(url: string, keptDirectory: string, form: SpaceDialect) {
    this.#form = form;
    this.keptDirectory = keptDirectory;
    this.#url = withoutPasswords(url);
    this.#kept = new LmdbStore(keptDirectory, { tables: [nodesTable] });
    this.#http = new HttpConnection({ url, timeoutMs, retries: 1 });
  }

  /**
   * Returns a piece; after a node come the pieces below it, a moment later. @throws {ForkError} `gone`, `wrongPiece`
   */
  async find(hash: Uint8Array): Promise<Piece> {
    const key = hashKey(hash);
    const piece = this.#keptPiece(hash) ?? (await this.#onTheWay.get(key)) ?? (await this.#fetch([hash]))[0];
    if (piece !== undefined && this.#nodes.delete(key)) this.#fetchBelow(piece);
    return piece;
  }

  /** Fetches what of a state's tree is wanted first. @throws {ForkError} `missingPiece` and those of {@link find} */
  async fetchAhead(root: Uint8Array): Promise<void> {
    let wanted: Uint8Array[] = [root];
    for (let count = 0; wanted.length > 0 && count + wanted.length <= maxAhead; ) {
      const [nodes, leaves]: Uint8Array[][] = [[], []];
      for (const bytes of await this.#all(wanted)) {
        const below = childrenOf(new RadixNode(bytes));
        nodes!.push(...below.nodes);
        leaves!.push(...below.leaves);
      }
      count += wanted.length;
      if (count + leaves!.length <= maxAhead) {
        await this.#all(leaves!);
        count += leaves!.length;
      }
      wanted = nodes!;
    }
    for (const hash of wanted) this.#nodes.add(hashKey(hash));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#kept.close();
  }

  /** Fetches the pieces below a node ahead of need. A failure is reported when such a piece is requested. */
  #fetchBelow(node: Uint8Array): void {
    const { nodes, leaves } = childrenOf(new RadixNode(node));
    for (const hash of nodes) this.#nodes.add(hashKey(hash));
    const wanted = [...leaves, ...nodes].filter(
      (hash) => !this.#onTheWay.has(hashKey(hash)) && this.#keptPiece(hash) === undefined,
    );
    if (wanted.length === 0) return;
    const answer = this.#fetch(wanted.slice(0, maxPieces)).catch((): Piece[] => []);
    for (const [index, hash] of wanted.slice(0, maxPieces).entries()) {
      const key = hashKey(hash);
      const piece = answer.then((pieces) => pieces[index]);
      this.#onTheWay.set(key, piece);
      void piece.finally(() => this.#onTheWay.delete(key));
    }
  }

  #keptPiece(hash: Uint8Array): Piece {
    return this.#kept.table(nodesTable).get(hash);
  }

  async #all(hashes: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const found: Uint8Array[] = [];
    const absent = hashes.filter((hash) => {
      const kept = this.#keptPiece(hash);
      if (kept !== undefined) found.push(kept);
      return kept === undefined;
    });
    const parts: Uint8Array[][] = [];
    for (let from = 0; from < absent.length; from += maxPieces) parts.push(absent.slice(from, from + maxPieces));
    const takeParts = async () => {
      for (let part = parts.shift(); part !== undefined; part = parts.shift()) found.push(...(await this.#whole(part)));
    };
    await Promise.all(Array.from({ length: maxRequests }, takeParts));
    return found;
  }

  /** Requests again the pieces that did not fit into an answer. */
  async #whole(hashes: readonly Uint8Array[]): Promise<Uint8Array[]> {
    const found: Uint8Array[] = [];
    while (found.length < hashes.length) {
      const left = hashes.slice(found.length);
      for (const [index, piece] of (await this.#fetch(left)).entries()) {
        if (piece === undefined)
          throw new ForkError({ code: "missingPiece", url: this.#url, hash: toHex(left[index]!) });
        found.push(piece);
      }
    }
    return found;
  }

  async #fetch(hashes: readonly Uint8Array[]): Promise<readonly Piece[]> {
    const url = this.#url;
    const body = { hashes: hashes.map(toHex) };
    const answer = await callRoute(this.#http, statePiecesRoute, { body }).catch((cause: unknown) => {
      if (isNotOffered(cause)) throw new ForkError({ code: "noPieces", url }, { cause });
      throw new ForkError({ code: "gone", url, reason: errorText(cause) }, { cause });
    });
    const pieces = answer.pieces.slice(0, hashes.length).map((text, index) => this.#checked(text, hashes[index]!));
    if (pieces.length === 0) throw new ForkError({ code: "gone", url, reason: "it answers with nothing" });
    this.#kept.write((tables) => {
      const table = tables(nodesTable);
      for (const [index, piece] of pieces.entries()) if (piece !== undefined) table.put(hashes[index]!, piece);
    });
    return pieces;
  }

  /** @throws {ForkError} `wrongPiece` */
  #checked(text: string | null, hash: Uint8Array): Piece {
    if (text === null) return undefined;
    const bytes = fromHex(text);
    if (isPieceOf(bytes, hash, this.#form)) return bytes;
    throw new ForkError({ code: "wrongPiece", url: this.#url, hash: toHex(hash), actual: toHex(blake2b256(bytes)) });
  }
}

function isNotOffered(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false;
  const { failure } = error;
  return failure.code === "notOffered" || (failure.code === "refused" && failure.status === 404);
}
