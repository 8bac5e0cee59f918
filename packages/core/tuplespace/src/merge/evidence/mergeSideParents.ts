import type { StateView } from "../../history/StateView.js";
import { conflict, depends } from "../conflicts.js";
import { type DeployChain, meet, userDeployIds } from "../deployChain.js";
import { channelsChanged } from "../stateChange.js";
import { MergeAccumulator } from "./MergeAccumulator.js";

/** A block above the gate of several parents. @spec 40 §16.7 */
export interface SideParentBlock {
  /** Its hash, as a key. */
  readonly key: string;
  /** The keys of its parents, main parent first; also of those that are not above the gate. */
  readonly parents: readonly string[];
  readonly chains: readonly DeployChain[];
  /** The ids, as hex, that it names as rejected. */
  readonly rejectedIds: ReadonlySet<string>;
}

/** A chain of a block. */
export interface PlacedChain {
  readonly block: SideParentBlock;
  readonly chain: DeployChain;
}

/** The result of merging chains into a main parent's state. */
export interface SideMergeResult {
  /** In the order in which they are put upon the state. */
  readonly kept: readonly DeployChain[];
  readonly rejected: readonly PlacedChain[];
  /** Chains with deploys that are in the state by another copy. */
  readonly repeated: readonly PlacedChain[];
  /** Ids of the user deploys of those that were rejected which are not in the state, as hex. */
  readonly rejectedIds: ReadonlySet<string>;
}

type ChainVerdict = "kept" | "rejected" | "repeated";

/**
 * Applies the chains that a main parent does not build on to its state, as far as they are compatible with it.
 *
 * @param beside the main parent, last, and its ancestors above the gate, each behind its parents
 * @param others the blocks that it does not build on, likewise
 * @param base the main parent's state
 * @spec 40 §16.7
 * @throws {MergeError} `numberChannel`
 * @cost grows with the number of chains of the others times that of all
 */
export function mergeSideParents(
  beside: readonly SideParentBlock[],
  others: readonly SideParentBlock[],
  base: StateView,
): SideMergeResult {
  const line = new MergeLine([...beside, ...others]);
  const [above] = beside.slice(-1);
  if (above !== undefined) line.follow(above);
  const state = new MergeAccumulator(base);
  const outcome = { kept: [] as PlacedChain[], rejected: [] as PlacedChain[], repeated: [] as PlacedChain[] };
  for (const block of others)
    for (const chain of block.chains) outcome[line.judge({ block, chain }, state)].push({ block, chain });
  const ids = outcome.rejected.flatMap(({ chain }) => userDeployIds(chain));
  const rejectedIds = new Set(ids.filter((id) => !line.hasKept(id)));
  return { ...outcome, kept: outcome.kept.map(({ chain }) => chain), rejectedIds };
}

/** The way of a state along main parents, and what came into it on the way. */
class MergeLine {
  readonly #blocks: ReadonlyMap<string, SideParentBlock>;
  readonly #past = new Map<string, ReadonlySet<string>>();
  readonly #kept: PlacedChain[] = [];
  /** Also those that another copy replaces. */
  readonly #givenUp: PlacedChain[] = [];
  readonly #keptIds = new Set<string>();
  readonly #rejectedIds = new Set<string>();
  readonly #channels = new Map<DeployChain, ReadonlySet<string>>();

  /** @param blocks each behind its parents */
  constructor(blocks: readonly SideParentBlock[]) {
    this.#blocks = new Map(blocks.map((block) => [block.key, block]));
    for (const { key, parents } of blocks) {
      const past = new Set<string>();
      for (const parent of parents) {
        if (!this.#blocks.has(parent)) continue;
        past.add(parent);
        for (const one of this.#past.get(parent)!) past.add(one);
      }
      this.#past.set(key, past);
    }
  }

  /** Takes up the chains in a block's state, according to the blocks on its main chain. */
  follow(block: SideParentBlock): void {
    const chain: SideParentBlock[] = [];
    for (let at: SideParentBlock | undefined = block; at !== undefined; at = this.#blocks.get(at.parents[0] ?? ""))
      chain.push(at);
    const seen = new Set<string>();
    for (const above of chain.reverse()) {
      for (const [key, one] of this.#blocks) {
        if (seen.has(key) || !this.#past.get(above.key)!.has(key)) continue;
        seen.add(key);
        for (const joined of one.chains) {
          const placed = { block: one, chain: joined };
          this.#note(placed, this.#verdictByIds(placed, above.rejectedIds) ?? this.#verdictByPast(placed));
        }
      }
      seen.add(above.key);
      for (const own of above.chains) this.#note({ block: above, chain: own }, "kept");
    }
  }

  hasKept(id: string): boolean {
    return this.#keptIds.has(id);
  }

  /** Decides about a chain that is not in the state. */
  judge(placed: PlacedChain, state: MergeAccumulator): ChainVerdict {
    let verdict = this.#verdictByIds(placed, this.#rejectedIds) ?? this.#verdictByPast(placed);
    if (verdict === "kept") {
      const fits = !this.#isInConflict(placed) && state.take(placed.chain);
      // No block names system deploys as rejected, so following nodes could not know of it.
      if (!fits && userDeployIds(placed.chain).length > 0) verdict = "rejected";
    }
    this.#note(placed, verdict);
    return verdict;
  }

  #verdictByIds({ chain }: PlacedChain, rejected: ReadonlySet<string>): ChainVerdict | undefined {
    const ids = userDeployIds(chain);
    if (ids.length > 0 && ids.every((id) => this.#keptIds.has(id))) return "repeated";
    return ids.some((id) => this.#keptIds.has(id) || this.#rejectedIds.has(id) || rejected.has(id))
      ? "rejected"
      : undefined;
  }

  /** A chain that was given up below a block is not there for its own deploys. */
  #verdictByPast({ block, chain }: PlacedChain): ChainVerdict {
    const past = this.#past.get(block.key)!;
    const isMissed = this.#givenUp.some(
      (one) =>
        past.has(one.block.key) &&
        (depends(chain.index, one.chain.index) || meet(this.#channelsOf(chain), this.#channelsOf(one.chain))),
    );
    return isMissed ? "rejected" : "kept";
  }

  /** Whether two blocks that did not know each other conflict. */
  #isInConflict({ block, chain }: PlacedChain): boolean {
    if (userDeployIds(chain).length === 0) return false;
    const past = this.#past.get(block.key)!;
    return this.#kept.some(
      (one) =>
        one.block.key !== block.key &&
        !past.has(one.block.key) &&
        userDeployIds(one.chain).length > 0 &&
        conflict(chain.index, one.chain.index),
    );
  }

  #note(placed: PlacedChain, verdict: ChainVerdict): void {
    (verdict === "kept" ? this.#kept : this.#givenUp).push(placed);
    if (verdict === "repeated") return;
    const ids = verdict === "kept" ? this.#keptIds : this.#rejectedIds;
    for (const id of userDeployIds(placed.chain)) if (!this.#keptIds.has(id)) ids.add(id);
  }

  #channelsOf(chain: DeployChain): ReadonlySet<string> {
    let channels = this.#channels.get(chain);
    if (channels === undefined) this.#channels.set(chain, (channels = channelsChanged(chain.index)));
    return channels;
  }
}
