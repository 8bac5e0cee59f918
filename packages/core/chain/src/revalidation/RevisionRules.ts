import type { Block } from "@vedette/protocol";
import type { BlockTable } from "../block/BlockTable.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { EquivocationRecord, EquivocationTable } from "../equivocation/EquivocationTable.js";
import { lowestSide } from "../equivocation/lowestSide.js";
import { slashesOf } from "../slashing/f1r3node/epochSlashing.js";
import type { SlashRules } from "../slashing/SlashRules.js";
import { checkNeglectedEquivocation } from "../validation/neglectedEquivocation.js";
import { checkNeglectedInvalidBlock } from "../validation/neglectedInvalidBlock.js";

/** The data that a revision reads. */
export interface RevisionSources {
  readonly dag: DagView;
  readonly equivocations: EquivocationTable;
  readonly blocks: Pick<BlockTable, "find">;
}

/** Which verdicts a node takes back. @spec 40 §17.4, 61 §15.7 */
export interface RevisionRules {
  /** Verdicts that most of the stake can overrule. */
  readonly overrulable: ReadonlySet<string>;
  /** Verdicts that fall with that on a block below. */
  readonly derived: ReadonlySet<string>;
  /** Whether a block with a derived verdict is judged anew before, since it was not executed, or not on the right state. */
  readonly judgesDerived: boolean;
  /** Whether a validator's stake counts for nothing, by the `hashKey` of its key. */
  offenders(sources: RevisionSources): (validatorKey: string) => boolean;
  /** As {@link SupportRules.slashedBy}. */
  slashedBy(block: BlockMetadata, sources: RevisionSources): ReadonlySet<string>;
  /** Whether a block disregards an offence. @param detected receives the equivocations that it takes notice of */
  offends(block: Block, sources: RevisionSources, detected: EquivocationRecord[]): boolean;
}

/** rnode's verdicts. @spec 40 §17.4 */
export const arrivalRevisions: RevisionRules = {
  overrulable: new Set([
    "AdmissibleEquivocation",
    "NeglectedEquivocation",
    "JustificationRegression",
    "InvalidParents",
    "InvalidTransaction",
    "unknown",
  ]),
  derived: new Set(["NeglectedInvalidBlock", "NeglectedEquivocation"]),
  judgesDerived: false,
  offenders({ equivocations }) {
    const offenders = new Set(equivocations.records().map(({ validatorKey }) => validatorKey));
    return (key) => offenders.has(key);
  },
  // A slash takes the stake in the bonds of its own block.
  slashedBy: () => new Set(),
  offends: (block, { dag, equivocations }, detected) =>
    (checkNeglectedInvalidBlock(block, dag) ?? checkNeglectedEquivocation(block, dag, equivocations, detected)) !==
    undefined,
};

/** Verdicts on a block above one that was not executed, since a slash in it was unauthorized here. */
const ofUnexecuted = ["NeglectedInvalidBlock", "InvalidBondsCache", "InvalidTransaction"] as const;

/** f1r3node's verdicts about slashes: whether they are authorized depends on what a node has received. @spec 61 §15.7 */
export function f1r3nodeRevisions({ checkNeglected }: Pick<SlashRules, "checkNeglected">): RevisionRules {
  return {
    overrulable: new Set(["UnauthorizedSlashDeploy", ...ofUnexecuted]),
    derived: new Set(ofUnexecuted),
    judgesDerived: true,
    offenders: ({ dag }) => {
      return (key) => {
        const hash = dag.latestMessage(key);
        const latest = hash === undefined ? undefined : dag.find(hash);
        return latest !== undefined && lowestSide(latest, dag) !== undefined;
      };
    },
    // Its own bonds are those of what is final below it.
    slashedBy({ hash }, { blocks, dag }) {
      const block = blocks.find(hash);
      const slashed = block === undefined ? [] : slashesOf(block);
      return new Set(slashed.flatMap(({ invalidBlockHash }) => dag.find(invalidBlockHash)?.senderKey ?? []));
    },
    offends: (block, { dag }) => checkNeglected(block, dag) !== undefined,
  };
}
