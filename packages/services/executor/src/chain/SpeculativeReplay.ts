import { equalBytes } from "@vedette/crypto";
import { type Block, encodeBlock } from "@vedette/protocol";
import { type ExecutorClient, withOperations } from "../executor/ExecutorClient.js";
import type { ReplayAnswer, ReplayCall } from "../executor/RnodeExecutor.js";

/** An execution that was begun before it was requested. */
interface Begun {
  readonly call: ReplayCall;
  /** `undefined` where it came to nothing, for whatever reason. */
  readonly answer: Promise<ReplayAnswer | undefined>;
}

/** Blocks that are on their way at most; each is held as its bytes. */
const maxStarted = 3;

/**
 * Has a block executed while its parent is still being judged and written, so that the executor never waits.
 *
 * An answer is used only where the very same call is made later on, when the checks before it have passed; what was
 * begun in vain leaves nothing but content-addressed parts of states.
 */
export class SpeculativeReplay {
  readonly #executor: ExecutorClient;
  readonly #begun: Begun[] = [];
  #next: { readonly block: Block; readonly after: Uint8Array } | undefined;
  #invalidBlocks: ReplayCall["invalidBlocks"] = [];

  constructor(executor: ExecutorClient) {
    this.#executor = executor;
  }

  /** The executor, with answers that were fetched ahead. */
  get executor(): ExecutorClient {
    return withOperations(this.#executor, { replay: (call) => this.#replay(call) });
  }

  /** Announces the block that comes next, after its only parent. */
  announce(block: Block, parent: Block): void {
    this.#next = { block, after: encodeBlock(parent) };
    if (this.#begun.some(({ call }) => isSameBlock(call.block, this.#next?.after))) this.#beginNext();
  }

  async #replay(call: ReplayCall): Promise<ReplayAnswer> {
    const at = this.#begun.findIndex((begun) => isSameCall(begun.call, call));
    const [begun] = at < 0 ? [] : this.#begun.splice(at, 1);
    this.#invalidBlocks = call.invalidBlocks;
    const asked = begun === undefined ? this.#executor.replay(call) : undefined;
    if (isSameBlock(call.block, this.#next?.after)) this.#beginNext();
    return asked ?? (await begun?.answer) ?? this.#executor.replay(call);
  }

  #beginNext(): void {
    const { block } = this.#next!;
    this.#next = undefined;
    const call: ReplayCall = {
      block: encodeBlock(block),
      preState: block.body.state.preStateHash,
      invalidBlocks: this.#invalidBlocks,
    };
    const answer = this.#executor.replay(call).then(
      (found) => (found.kind === "replayed" ? found : undefined),
      () => undefined,
    );
    if (this.#begun.length >= maxStarted) this.#begun.shift();
    this.#begun.push({ call, answer });
  }
}

/** Usually they are the same bytes in memory. */
function isSameBlock(one: Uint8Array, other: Uint8Array | undefined): boolean {
  return one === other || (other !== undefined && Buffer.compare(one, other) === 0);
}

function isSameCall(one: ReplayCall, other: ReplayCall): boolean {
  if (!isSameBlock(one.block, other.block) || !equalBytes(one.preState, other.preState)) return false;
  const { length } = one.invalidBlocks;
  if (length !== other.invalidBlocks.length) return false;
  for (let i = 0; i < length; i += 1) {
    const left = one.invalidBlocks[i]!;
    const right = other.invalidBlocks[i]!;
    if (!equalBytes(left.blockHash, right.blockHash) || !equalBytes(left.sender, right.sender)) return false;
  }
  return true;
}
