import { randomBytes } from "node:crypto";
import type { BlockMetadata } from "@vedette/chain";
import type { BoundedExploreAnswer } from "@vedette/executor";
import type { QueryReaders } from "@vedette/executor/threads";
import { mapToStateQueryError } from "../state/StateQueries.js";
import { StateQueryError } from "../state/StateQueryError.js";
import type { StateRoots } from "../state/StateRoots.js";
import type { FairScheduler } from "./FairScheduler.js";

/** A program to run, where, and what it may use. */
export interface ExplorationTask {
  readonly term: string;
  /** `latest`, `finalized`, or the hash of a block. */
  readonly block: string;
  readonly which: "post" | "pre";
  readonly phloLimit: bigint;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly withBytes: boolean;
  /** Whether the answer has its steps. */
  readonly withTrace: boolean;
  /** The public key that the program sees as its deployer's; left out: a random one. */
  readonly deployer?: Uint8Array | undefined;
}

/** How a program ended, and on which state it ran. */
export interface ExplorationOutcome {
  readonly block: BlockMetadata;
  readonly root: Uint8Array;
  readonly answer: Exclude<BoundedExploreAnswer, { kind: "noState" }>;
}

/** The parts that run explorations. */
export interface ExplorationOptions {
  readonly roots: StateRoots;
  readonly readers: QueryReaders;
  readonly turns: FairScheduler;
  /** On a node without a validator's key, or in dev mode. @spec 50 §9 */
  readonly isAllowed: boolean;
}

/** Runs programs on the states of any blocks, each within its budget and fairly among clients. @spec 50 §1.11 */
export class Explorations {
  readonly #options: ExplorationOptions;

  constructor(options: ExplorationOptions) {
    this.#options = options;
  }

  /** Whether this node runs programs for its clients. @spec 50 §9 */
  get isAllowed(): boolean {
    return this.#options.isAllowed;
  }

  /** @param client the address that it is counted for @throws {StateQueryError} */
  async run(request: ExplorationTask, client: string, signal: AbortSignal): Promise<ExplorationOutcome> {
    const { roots, readers, turns, isAllowed } = this.#options;
    if (!isAllowed) throw new StateQueryError({ code: "notAllowed" });
    const { root, block } = roots.stateOfBlock(request.block, request.which, "block");
    const { term: source, phloLimit, timeoutMs, memoryMb, withBytes, withTrace, deployer } = request;
    const caller = deployer === undefined ? anyDeployer() : { ...anyDeployer(), deployer };
    const budget = { phloLimit, timeoutMs, memoryBytes: memoryMb * 2 ** 20 };
    const answer = await turns.take({ client, signal, bytes: 2 * source.length }, (onWorked) => {
      const call = { root, source, ...budget, ...caller, timestamp: BigInt(Date.now()), withBytes, withTrace };
      return mapToStateQueryError(readers.call("boundedExplore", call, timeoutMs, { signal, onWorked }));
    });
    if (answer.kind === "noState") throw await roots.notHere(root, "block");
    return { block, root, answer };
  }
}

/** A new random key and signature: the result must not depend on the caller. @spec 41 §7.1 */
export function anyDeployer(): { readonly deployer: Uint8Array; readonly signature: Uint8Array } {
  const deployer = Uint8Array.from(randomBytes(65));
  deployer[0] = 4;
  return { deployer, signature: Uint8Array.from(randomBytes(70)) };
}
