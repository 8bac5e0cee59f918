import type { BlockMetadata } from "@vedette/chain";
import type { StateProofJson } from "@vedette/client/proof";
import { equalBytes } from "@vedette/crypto";
import type { EntriesAnswer, EntriesCall, NameGiven } from "@vedette/executor";
import { type QueryReaders, ReaderPoolError, RemoteError } from "@vedette/executor/threads";
import { type Block, encodeBody, encodeHeader, f1r3node, hashBlock, rnode } from "@vedette/protocol";
import type { BlockQueries } from "../block/BlockQueries.js";
import type { FairScheduler } from "../explore/FairScheduler.js";
import { StateQueryError } from "./StateQueryError.js";
import type { NamedState, StateRoots } from "./StateRoots.js";

/** The request of a client for a state. */
export interface StateQuestion {
  /** `latest`, `finalized`, the hash of a block, or a state root. */
  readonly root: string;
  readonly which: "post" | "pre";
  readonly kind: EntriesCall["kind"];
  readonly names: readonly NameGiven[];
  readonly withBytes: boolean;
  /** Where the proof is to begin; `undefined` without one. */
  readonly anchor: "root" | "block" | undefined;
  readonly most: number;
}

/** The entries of a state below names; names and entries are JSON texts. */
export interface StateEntries {
  readonly state: NamedState;
  readonly found: Extract<EntriesAnswer, { kind: "entries" }>;
  readonly proof: StateProofJson | undefined;
}

/** The sources of answers about states. */
export interface StateSources {
  readonly roots: StateRoots;
  readonly blocks: Pick<BlockQueries, "read">;
  readonly readers: QueryReaders;
  readonly turns: FairScheduler;
  readonly timeoutMs: number;
}

const hashBytes = 32;

/** Questions about what states hold, with proofs. @spec 30 §10 */
export class StateQueries {
  readonly #sources: StateSources;

  constructor(sources: StateSources) {
    this.#sources = sources;
  }

  /** @param client the address that it is counted for @throws {StateQueryError} */
  async entries(question: StateQuestion, client: string | undefined, signal: AbortSignal): Promise<StateEntries> {
    const { roots, readers, turns, timeoutMs } = this.#sources;
    const { root, which, anchor, kind, names, withBytes, most } = question;
    const state = roots.state(root, which, "root");
    if (anchor === "block" && state.block === undefined)
      throw new StateQueryError({ code: "badRequest", field: "anchor", problem: "needs a block; root names a state" });
    const withProof = anchor !== undefined;
    const call = { root: state.root, kind, names, withBytes, withProof, most, timeoutMs };
    const found = await turns.take({ client, signal, bytes: sizeOf(names) }, (onWorked) =>
      mapToStateQueryError(readers.call("entries", call, timeoutMs, { signal, onWorked })),
    );
    switch (found.kind) {
      case "noState":
        throw await roots.notHere(state.root, "root");
      case "badName":
        throw new StateQueryError({ code: "badRequest", field: `names[${found.index}]`, problem: found.problem });
      case "entries":
        return { state, found, proof: this.#proof(question, state, found) };
    }
  }

  /** Returns nodes and leaves of states by their hashes; fewer than requested if they are large. */
  async pieces(
    hashes: readonly Uint8Array[],
    client: string | undefined,
    signal: AbortSignal,
  ): Promise<readonly (Uint8Array | undefined)[]> {
    const { readers, turns, timeoutMs } = this.#sources;
    const bytes = hashes.length * hashBytes;
    return turns.take({ client, signal, bytes }, (onWorked) =>
      mapToStateQueryError(readers.call("pieces", hashes, timeoutMs, { signal, onWorked })),
    );
  }

  #proof({ kind, anchor }: StateQuestion, state: NamedState, found: StateEntries["found"]): StateProofJson | undefined {
    if (found.proof === undefined) return undefined;
    const { format, nodes, leaf } = found.proof;
    const { block, which } = state;
    return {
      format,
      root: hexOf(state.root),
      kind,
      channels: found.channels.map(hexOf),
      nodes: nodes.map(hexOf),
      leaf: leaf === undefined ? null : hexOf(leaf),
      block:
        anchor === "block" && block !== undefined
          ? { hash: hexOf(block.hash), state: which, content: hexOf(this.#contentOf(block)) }
          : undefined,
    };
  }

  /** Returns the hashed content of the block, in the dialect in which it was made. @spec 40 §1.3, §14.2 */
  #contentOf(metadata: BlockMetadata): Uint8Array {
    const { block } = this.#sources.blocks.read(metadata);
    const dialect = equalBytes(hashBlock(block, rnode), block.hash) ? rnode : f1r3node;
    return Buffer.concat([encodeHeader(block), encodeBody(block), dialect.blockHashTail(block as Block)]);
  }
}

/** Maps errors of readers to those of state queries. @throws {StateQueryError} */
export async function mapToStateQueryError<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof ReaderPoolError && cause.failure.code === "busy")
      throw new StateQueryError({ code: "busy" }, { cause });
    const isReported = cause instanceof RemoteError && ["ExecutionError", "OriginError"].includes(cause.name);
    if (cause instanceof ReaderPoolError || isReported)
      throw new StateQueryError({ code: "gaveUp", message: cause.message }, { cause });
    if (cause instanceof RemoteError && cause.name === "ThreadEnded")
      throw new StateQueryError({ code: "gaveUp", message: threadEndedText }, { cause });
    throw cause;
  }
}

const threadEndedText = "The query took all memory of its thread, which was ended; request less.";

function sizeOf(names: readonly NameGiven[]): number {
  return names.reduce((sum, name) => sum + ("text" in name ? 2 * name.text.length : name.bytes.length), 0);
}

/** For parts that may be large. */
function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
