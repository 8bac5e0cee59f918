import { hashKey, type Justification } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { abandonedBranchFilter } from "../revalidation/abandonedBranchFilter.js";
import { ProposeError } from "./ProposeError.js";

/** The inputs for choosing the slashes of a new block. */
export interface SlashingView {
  readonly main: BlockMetadata;
  readonly senderKey: string;
  /** The own latest message. */
  readonly own: BlockMetadata | undefined;
  /** Whether to slash also for what no other validator is seen to find invalid. @spec 40 §17.5 */
  readonly slashesUnconfirmed: boolean;
}

/** The references of a new block to other validators where blocks are judged by arrival. */
export interface Slashings {
  readonly justifications: readonly Justification[];
  /** Invalid blocks to slash for. */
  readonly toSlash: readonly Uint8Array[];
}

/**
 * Latest messages of all validators in the main parent's bonds, and the invalid ones of these to slash for.
 *
 * While its creator has stake, an invalid block that is not slashed for may not be named: the creator's newest valid
 * block is named instead. The same holds for blocks on a side that this node gave up.
 *
 * @throws {ProposeError} `noLatestMessage`
 * @spec 40 §9.4, §9.6, §17.5
 */
export function slashingsOn(dag: DagView, view: SlashingView): Slashings {
  const { main, own, slashesUnconfirmed } = view;
  const toSlash: Uint8Array[] = [];
  const isGivenUp = abandonedBranchFilter(dag);
  const latest = main.bonds.bonds.map(({ validator, stake }) => {
    const key = hashKey(validator);
    const hash = dag.latestMessage(key);
    if (hash === undefined) throw new ProposeError({ code: "noLatestMessage", validator });
    return { validator, key, stake, block: dag.require(hash) };
  });
  const witnesses = latest.flatMap(({ key, stake, block }) =>
    key !== view.senderKey && stake > 0n && !block.invalid && block.senderKey === key ? [block] : [],
  );
  const justifications = latest.map(({ validator, key, stake, block }): Justification => {
    if (stake <= 0n || (!block.invalid && (key === view.senderKey || !isGivenUp(block))))
      return { validator, latestBlockHash: block.hash };
    const isHeldBack =
      !block.invalid || (key !== view.senderKey && !slashesUnconfirmed && !isConfirmed(dag, block, witnesses));
    const isNamed = (one: BlockMetadata) => !one.invalid && !isGivenUp(one);
    const named = own?.justificationOf(key);
    const before = isHeldBack ? newestNamed(dag, block, { isNamed, isKept: isNamed, named }) : undefined;
    if (before !== undefined) return { validator, latestBlockHash: before.hash };
    if (block.invalid) toSlash.push(block.hash);
    return { validator, latestBlockHash: block.hash };
  });
  return { justifications, toSlash };
}

/** Decides which block may replace one that is not named. */
export interface NamedInstead {
  readonly isNamed: (block: BlockMetadata) => boolean;
  /** Whether what the own latest message names may be named again. */
  readonly isKept: (block: BlockMetadata) => boolean;
  /** The block that the own latest message names. */
  readonly named: Uint8Array | undefined;
}

/**
 * Finds a block to name instead of one that may not be named. It is the creator's newest block that may be named, on
 * its own chain or as the own latest message names it. It is not older than the latter (40 §5.4, check 12).
 */
export function newestNamed(
  dag: DagView,
  from: BlockMetadata,
  { isNamed, isKept, named }: NamedInstead,
): BlockMetadata | undefined {
  let at: BlockMetadata | undefined = from;
  while (at !== undefined && !isNamed(at)) {
    const hash: Uint8Array | undefined = at.selfJustification;
    at = hash === undefined ? undefined : dag.find(hash);
  }
  const before = named === undefined ? undefined : dag.find(named);
  if (before === undefined || (at !== undefined && at.sequenceNumber >= before.sequenceNumber)) return at;
  return isKept(before) ? before : undefined;
}

/** Whether the latest block of another validator with stake shows that its creator finds a block invalid. */
function isConfirmed(dag: DagView, block: BlockMetadata, witnesses: readonly BlockMetadata[]): boolean {
  return witnesses.some(
    (witness) =>
      witness.senderKey !== block.senderKey &&
      (witness.bonds.stakes.get(block.senderKey) === 0n || isRefusedBy(dag, block, witness)),
  );
}

/**
 * Whether a creator refuses a block: it names an older block of the validator, though a block that it names shows this
 * one. A node that finds this one valid has it, or a newer one, as the latest message.
 */
function isRefusedBy(dag: DagView, block: BlockMetadata, witness: BlockMetadata): boolean {
  const named = witness.justificationOf(block.senderKey);
  const older = named === undefined ? undefined : dag.find(named);
  if (older === undefined || older.sequenceNumber >= block.sequenceNumber) return false;
  return witness.justifications.some(({ latestBlockHash }) => {
    const justified = dag.find(latestBlockHash);
    const shown = justified?.justificationOf(block.senderKey);
    if (justified === undefined || justified.senderKey === block.senderKey || shown === undefined) return false;
    return hashKey(shown) === block.key || justified.parents.some((parent) => hashKey(parent) === block.key);
  });
}
