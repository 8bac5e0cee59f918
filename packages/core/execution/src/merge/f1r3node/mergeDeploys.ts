import { compareBytes, fromHex, toHex } from "@vedette/crypto";
import type { RejectedDeploy } from "@vedette/protocol";
import {
  compareChains,
  type EventSets,
  type ItemState,
  isConflict,
  isSystemDeployId,
  lossesBy,
  type MergeBranch,
  type MergeChain,
  resolveChains,
  userIds,
  without,
} from "@vedette/tuplespace";

/** A request to merge blocks on a base. Signatures are hex. @spec 61 §12.3 */
export interface ScopeRequest {
  /** The chains of the blocks to merge, the blocks in ascending order of their hashes. */
  readonly chains: readonly MergeChain[];
  /** Everything that happened in the base's own lineage since the parents parted. */
  readonly lineage: EventSets;
  readonly base: ItemState;
  /** Whether the effect of a deploy is in the main parent's state already. */
  readonly isSettled: (signature: string) => boolean;
  /** The time of deploys that are valid after no later block is over. */
  readonly lateUpTo: bigint;
  /** Whether a block of the scope is a descendant of another one. */
  readonly descends: (block: Uint8Array, ancestor: Uint8Array) => boolean;
  /** The rejections that blocks of the scope have recorded themselves. */
  readonly recorded: readonly RejectedDeploy[];
  /** How often deploys were given up before, where that decides. @spec 61 §24.1 */
  readonly priorRejections: ReadonlyMap<string, number>;
}

/** The result of a merge without its state. @spec 61 §12.3 */
export interface ScopeOutcome {
  /** In branch order. */
  readonly kept: readonly MergeBranch[];
  /** Signatures of the deploys with effects that are taken over, ascending. */
  readonly applied: readonly Uint8Array[];
  /** In ascending order; without those that a block of the scope has recorded alike. */
  readonly records: readonly Required<RejectedDeploy>[];
  /** Slashes that were given up: their ids, and the blocks that have them. */
  readonly rejectedSlashes: readonly { readonly id: Uint8Array; readonly carrier: Uint8Array }[];
}

/**
 * Decides what of the blocks to merge is taken over.
 *
 * @spec 61 §12.3 (steps 5 to 13)
 * @throws {MergeError} `tooManyOptions`, `numberChannel`
 */
export function mergeDeploys(request: ScopeRequest): ScopeOutcome {
  const { base, lineage, lateUpTo, isSettled } = request;
  const newest = new NewestCopies(request.chains, isSettled);
  const fresh = request.chains.filter((chain) => newest.keeps(chain));
  const lost = request.chains.filter((chain) => !newest.keeps(chain)).flatMap((chain) => newest.lostBy(chain));
  const isLate = ({ deploys }: MergeChain) =>
    deploys.some(({ validAfter }) => validAfter !== undefined && validAfter <= lateUpTo);
  const late = fresh.filter(isLate).sort(compareChains);
  const inTime = fresh.filter((chain) => !isLate(chain)).sort(compareChains);
  const clashing = inTime.filter(({ events }) => isConflict(events, lineage));
  const resolved = resolveChains(
    inTime.filter((chain) => !clashing.includes(chain)),
    late,
    { base, losses: lossesBy(request.priorRejections) },
  );
  const rejected = [...resolved.rejected, ...clashing];
  const stale = resolved.kept.flat().filter(({ source }) => {
    return rejected.some((other) => isBelow(request, other.source.hash, source.hash));
  });
  const kept = without(resolved.kept, stale);
  const applied = new Set(kept.flat().flatMap(userIds));
  return {
    kept,
    applied: [...applied].sort().map(fromHex),
    records: recordsOf([...rejected, ...stale], lost, (id) => applied.has(id) || isSettled(id), request.recorded),
    rejectedSlashes: slashesOf([...rejected, ...stale]),
  };
}

function isBelow({ descends }: ScopeRequest, ancestor: Uint8Array, block: Uint8Array): boolean {
  return toHex(ancestor) !== toHex(block) && descends(block, ancestor);
}

/** A deploy in a rejected chain of the block that has its newest copy. */
interface LostDeploy {
  readonly id: string;
  readonly carrier: Uint8Array;
}

/** Finds the block with the copy of a deploy that counts. @spec 61 §12.3 (step 6) */
class NewestCopies {
  /** By id; `undefined` where the deploy is settled and no copy counts. */
  private readonly newest = new Map<string, MergeChain["source"] | undefined>();

  constructor(chains: readonly MergeChain[], isSettled: (signature: string) => boolean) {
    for (const chain of chains)
      for (const { id } of chain.deploys) {
        const key = toHex(id);
        const isKnown = this.newest.has(key);
        const known = this.newest.get(key);
        if (!isKnown) this.newest.set(key, !isSystemDeployId(id) && isSettled(key) ? undefined : chain.source);
        else if (known !== undefined && isNewer(chain.source, known)) this.newest.set(key, chain.source);
      }
  }

  keeps(chain: MergeChain): boolean {
    return chain.deploys.every(({ id }) => this.isOf(toHex(id), chain));
  }

  /** Returns the deploys that are lost with a chain that is not kept: no other copy of them counts. */
  lostBy(chain: MergeChain): LostDeploy[] {
    return userIds(chain)
      .filter((id) => this.isOf(id, chain))
      .map((id) => ({ id, carrier: chain.source.hash }));
  }

  private isOf(id: string, { source }: MergeChain): boolean {
    const newest = this.newest.get(id);
    return newest !== undefined && compareBytes(newest.hash, source.hash) === 0;
  }
}

function isNewer(one: MergeChain["source"], other: MergeChain["source"]): boolean {
  return one.number === other.number ? compareBytes(one.hash, other.hash) < 0 : one.number > other.number;
}

/** @spec 61 §12.3 (steps 12, 13) */
function recordsOf(
  rejected: readonly MergeChain[],
  lost: readonly LostDeploy[],
  isDuplicate: (id: string) => boolean,
  recorded: readonly RejectedDeploy[],
): Required<RejectedDeploy>[] {
  const pairs = rejected.flatMap((chain) => userIds(chain).map((id) => ({ id, carrier: chain.source.hash })));
  const named = new Set(pairs.map(({ id }) => id));
  const all = [...pairs, ...lost.filter(({ id }) => !named.has(id))].map(({ id, carrier }) => ({
    signature: fromHex(id),
    duplicate: isDuplicate(id),
    carrier,
  }));
  const standing = new Set(recorded.map(recordName));
  return all.filter((record) => !standing.has(recordName(record))).sort(compareRecords);
}

function recordName({ signature, duplicate = false, carrier }: RejectedDeploy): string {
  return `${toHex(signature)}:${duplicate}:${carrier === undefined ? "" : toHex(carrier)}`;
}

/** By signature, then those that are no duplicates, then by carrier. @spec 61 §1.3 */
function compareRecords(left: Required<RejectedDeploy>, right: Required<RejectedDeploy>): number {
  return (
    compareBytes(left.signature, right.signature) ||
    Number(left.duplicate) - Number(right.duplicate) ||
    compareBytes(left.carrier, right.carrier)
  );
}

const slashByte = 1;

function slashesOf(chains: readonly MergeChain[]): { readonly id: Uint8Array; readonly carrier: Uint8Array }[] {
  return chains
    .flatMap(({ deploys, source }) => deploys.map(({ id }) => ({ id, carrier: source.hash })))
    .filter(({ id }) => isSystemDeployId(id) && id[32] === slashByte)
    .sort((left, right) => compareBytes(left.id, right.id) || compareBytes(left.carrier, right.carrier));
}
