import { hashKey, type Justification } from "@vedette/protocol";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import type { EquivocationView } from "../../equivocation/EquivocationTable.js";
import { lowestSide } from "../../equivocation/lowestSide.js";
import { newestNamed } from "../slashings.js";
import { justificationsOn } from "../snapshot.js";

/** The proposer's view of others' blocks. */
export interface NamingView {
  readonly dag: DagView;
  readonly equivocations: Pick<EquivocationView, "records">;
  /** `hashKey` of the proposer's public key. */
  readonly senderKey: string;
  /** Its latest message. */
  readonly own: BlockMetadata | undefined;
}

/**
 * Returns for every validator its newest block that no node can consider slashable. It is not invalid here, and the
 * validator did not make it at once with another one, or upon such a block. To some nodes one of these two is invalid,
 * to others the other, to others none; naming neither of them is right for all.
 *
 * A block that the own latest message names stays, since no older one may replace it.
 *
 * Ours: f1r3node names the latest block, whatever its judgement of it.
 *
 * @throws {ProposeError} `noLatestMessage`
 * @throws {ChainError} `blockMissing`
 * @spec 61 §15.5
 */
export function undisputedLatest(main: BlockMetadata, view: NamingView): readonly Justification[] {
  const { dag, equivocations, senderKey, own } = view;
  const suspects = new Set(equivocations.records().map(({ validatorKey }) => validatorKey));
  return justificationsOn(dag, main).map((latest) => {
    const key = hashKey(latest.validator);
    const block = dag.require(latest.latestBlockHash);
    const side = suspects.has(block.senderKey) ? lowestSide(block, dag) : undefined;
    if (key === senderKey || (!block.invalid && side === undefined)) return latest;
    const isNamed = ({ invalid }: BlockMetadata) => !invalid;
    const below = side === undefined ? block : dag.require(side.selfJustification!);
    const named = newestNamed(dag, below, { isNamed, isKept: isNamed, named: own?.justificationOf(key) });
    return named === undefined ? latest : { ...latest, latestBlockHash: named.hash };
  });
}
