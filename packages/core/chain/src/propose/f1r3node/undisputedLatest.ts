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
 * Of every validator the newest block of which no node can hold that it must be slashed for: none that is invalid here,
 * and none that a validator made at once with another, or upon such a one. To some nodes one of these two is invalid, to
 * others the other, to others none; naming neither of them is right for all.
 *
 * What the own latest message names already stays, since nothing older may stand for it.
 *
 * Ours: f1r3node names the latest block, whatever it holds of it.
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
