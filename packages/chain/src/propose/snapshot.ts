import { hashKey, type Justification } from "@vedette/protocol";
import { type ChainRules, deployLifespan } from "../ChainRules.js";
import { isAncestorOrSelf } from "../dag/ancestors.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { bringProofs } from "../evidence/bringProofs.js";
import { slashableFacts } from "../evidence/checkEvidence.js";
import { printEvidence } from "../evidence/evidenceBytes.js";
import type { NamedPast } from "../evidence/judgePast.js";
import type { InvalidBlockFacts } from "../validation/BlockExecution.js";
import { chooseParents } from "./chooseParents.js";
import { ProposeError } from "./ProposeError.js";
import type { EmitProposeEvent } from "./ProposeEvent.js";

const nothing = new Uint8Array(0);

/** What a new block of a validator would stand on: the DAG at one moment. @spec 40 §9.1 */
export interface Snapshot {
  /** Main parent first. */
  readonly parents: readonly BlockMetadata[];
  readonly justifications: readonly Justification[];
  /** The own latest message; `undefined` for who was never bonded. */
  readonly ownLatest: BlockMetadata | undefined;
  readonly lastFinalized: BlockMetadata;
  /** Height of the new block. */
  readonly number: bigint;
  readonly sequenceNumber: number;
  /** Deploys valid after this height or a lower one have expired. */
  readonly earliest: bigint;
  readonly invalidBlocks: readonly InvalidBlockFacts[];
  /** What the block states in its extra bytes. @spec 40 §16.1 */
  readonly extraBytes: Uint8Array;
  /** Blocks to slash for, of validators who have stake. @spec 40 §9.6, §16.4 */
  readonly toSlash: readonly Uint8Array[];
  /** Whether a block without user deploys would be valid. @spec 40 §5.4 (check 10) */
  readonly mayBeEmpty: boolean;
}

/**
 * Looks at the DAG for a new block. Nothing is awaited, so that all parts belong together.
 *
 * @param nowMs Unix milliseconds
 * @throws {ProposeError} `notBegun`, `noLatestMessage`
 * @spec 40 §9.1, §9.2, §9.4, §9.6
 */
export function takeSnapshot(
  dag: DagView,
  { ownKey, nowMs }: { readonly ownKey: Uint8Array; readonly nowMs: number },
  rules: Pick<ChainRules, "maximumParents" | "maximumParentDepth">,
  emit: EmitProposeEvent,
): Snapshot {
  const approved = dag.approvedBlock();
  const lastFinalized = dag.lastFinalized();
  if (approved === undefined || lastFinalized === undefined) throw new ProposeError({ code: "notBegun" });
  const chooser = { validatorKey: hashKey(ownKey), nowMs };
  return snapshotOn(dag, chooseParents(dag, approved, chooser, rules, emit), ownKey, lastFinalized);
}

/** The same moment with other parents. */
export function snapshotOn(
  dag: DagView,
  parents: readonly BlockMetadata[],
  ownKey: Uint8Array,
  lastFinalized: BlockMetadata,
): Snapshot {
  const main = parents[0]!;
  let highest = main.number;
  for (const { number } of parents) if (number > highest) highest = number;
  const number = highest + 1n;
  const own = dag.latestMessage(hashKey(ownKey));
  const ownLatest = own === undefined ? undefined : dag.require(own);
  return {
    parents,
    ...slashingOn(dag, { senderKey: hashKey(ownKey), parents, justifications: justificationsOn(dag, main) }),
    ownLatest,
    lastFinalized,
    number,
    sequenceNumber: (ownLatest?.sequenceNumber ?? -1) + 1,
    earliest: number - deployLifespan,
    mayBeEmpty:
      ownLatest === undefined ||
      ownLatest.parents.length === 0 ||
      parents.some((parent) => !isAncestorOrSelf(dag, parent, ownLatest)),
  };
}

/** Latest messages of everybody in the main parent's bonds, invalid ones too. @spec 40 §9.4 */
function justificationsOn(dag: DagView, main: BlockMetadata): readonly Justification[] {
  return main.bonds.bonds.map(({ validator }) => {
    const latestBlockHash = dag.latestMessage(hashKey(validator));
    if (latestBlockHash === undefined) throw new ProposeError({ code: "noLatestMessage", validator });
    return { validator, latestBlockHash };
  });
}

/** What is to be said of offenders, and to be done about them. */
function slashingOn(
  dag: DagView,
  past: NamedPast,
): Pick<Snapshot, "justifications" | "invalidBlocks" | "extraBytes" | "toSlash"> {
  const main = past.parents[0]!;
  if (!dag.judgesByEvidence) {
    const { justifications } = past;
    return { justifications, invalidBlocks: dag.invalidBlocks(), extraBytes: nothing, toSlash: slashesOn(dag, main) };
  }
  const { justifications, offences } = bringProofs(dag, past);
  const invalidBlocks = slashableFacts(main, offences);
  const extraBytes = printEvidence(justifications, offences);
  return { justifications, invalidBlocks, extraBytes, toSlash: invalidBlocks.map(({ hash }) => hash) };
}

function slashesOn(dag: DagView, main: BlockMetadata): readonly Uint8Array[] {
  const slashes: Uint8Array[] = [];
  for (const { validator, hash } of dag.latestMessages()) {
    if (dag.isInvalid(hash) && (main.bonds.stakes.get(hashKey(validator)) ?? 0n) > 0n) slashes.push(hash);
  }
  return slashes;
}
