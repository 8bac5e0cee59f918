import { emptyBytes } from "@vedette/crypto";
import { hashKey, type Justification } from "@vedette/protocol";
import { deployLifespan, type ParentLimits } from "../ChainRules.js";
import { isAncestorOrSelf } from "../dag/ancestors.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { slashableFacts } from "../evidence/checkEvidence.js";
import { printEvidence } from "../evidence/evidenceBytes.js";
import { hasNewerJustification } from "../evidence/hasNewerJustification.js";
import { includeKnownEvidence } from "../evidence/includeKnownEvidence.js";
import type { InvalidBlockFacts } from "../validation/BlockExecution.js";
import { recentAncestors } from "../validation/repeatDeploy.js";
import { knownInvalidBlocks } from "../validation/visibleInvalidBlocks.js";
import { chooseParents } from "./chooseParents.js";
import type { DeployAdmission } from "./DeployAdmission.js";
import { ProposeError } from "./ProposeError.js";
import type { EmitProposeEvent } from "./ProposeEvent.js";
import { type SlashingView, slashingsOn } from "./slashings.js";

/** The base of a validator's new block: the DAG at one moment. @spec 40 §9.1 */
export interface Snapshot {
  /** Main parent first. */
  readonly parents: readonly BlockMetadata[];
  readonly justifications: readonly Justification[];
  /** The own latest message; `undefined` for a validator that was never bonded. */
  readonly ownLatest: BlockMetadata | undefined;
  readonly lastFinalized: BlockMetadata;
  /** Height of the new block. */
  readonly number: bigint;
  readonly sequenceNumber: number;
  /** Deploys valid after this height or a lower one have expired. */
  readonly earliest: bigint;
  readonly invalidBlocks: readonly InvalidBlockFacts[];
  /** The extra bytes of the block. @spec 40 §16.1 */
  readonly extraBytes: Uint8Array;
  /** Blocks to slash for, of validators with stake. @spec 40 §9.6, §16.4 */
  readonly toSlash: readonly Uint8Array[];
  /** Whether a block without user deploys would be valid. @spec 40 §5.4 (check 10), §16.3 */
  readonly mayBeEmpty: boolean;
  readonly admission: DeployAdmission;
}

/** After this silence of a validator, a block upon its own latest message alone may name new votes. */
const longSilenceMs = 20_000;

/** The validator that takes the snapshot, and the time. */
export interface SnapshotView {
  readonly ownKey: Uint8Array;
  /** Unix milliseconds. */
  readonly nowMs: number;
  /** Whether to slash also for what no other validator is seen to find invalid; left out: no. @spec 40 §17.5 */
  readonly slashesUnconfirmed?: boolean | undefined;
}

/**
 * Looks at the DAG for a new block. Nothing is awaited, so that all parts belong together.
 *
 * @throws {ProposeError} `notBegun`, `noLatestMessage`
 * @spec 40 §9.1, §9.2, §9.4, §9.6
 */
export function takeSnapshot(dag: DagView, view: SnapshotView, rules: ParentLimits, emit: EmitProposeEvent): Snapshot {
  const approved = dag.approvedBlock();
  const lastFinalized = dag.lastFinalized();
  if (approved === undefined || lastFinalized === undefined) throw new ProposeError({ code: "notBegun" });
  const chooser = { validatorKey: hashKey(view.ownKey), nowMs: view.nowMs };
  const parents = chooseParents(dag, approved, { chooser, rules, emit });
  return snapshotOn(dag, parents, view, lastFinalized);
}

/** The same moment with other parents. */
export function snapshotOn(
  dag: DagView,
  parents: readonly BlockMetadata[],
  { ownKey, nowMs, slashesUnconfirmed = false }: SnapshotView,
  lastFinalized: BlockMetadata,
): Snapshot {
  const main = parents[0]!;
  let highest = main.number;
  for (const { number } of parents) if (number > highest) highest = number;
  const number = highest + 1n;
  const earliest = number - deployLifespan;
  const senderKey = hashKey(ownKey);
  const own = dag.latestMessage(senderKey);
  const ownLatest = own === undefined ? undefined : dag.require(own);
  const { hasNewVote, ...slashing } = dag.judgesByEvidence
    ? slashingByEvidence(dag, parents, { senderKey, own: ownLatest })
    : slashingByArrival(dag, { main, own: ownLatest, senderKey, slashesUnconfirmed });
  return {
    parents,
    ...slashing,
    ownLatest,
    lastFinalized,
    number,
    sequenceNumber: (ownLatest?.sequenceNumber ?? -1) + 1,
    earliest,
    admission: pastAdmission(dag, parents, { number, earliest }),
    mayBeEmpty:
      ownLatest === undefined ||
      ownLatest.parents.length === 0 ||
      (hasNewVote && nowMs - Number(ownLatest.timestamp) >= longSilenceMs) ||
      parents.some((parent) => !isAncestorOrSelf(dag, parent, ownLatest)),
  };
}

/**
 * Latest messages of all validators in the main parent's bonds, including invalid ones.
 *
 * @throws {ProposeError} `noLatestMessage`
 * @spec 40 §9.4, 61 §1.3
 */
export function justificationsOn(dag: DagView, main: BlockMetadata): readonly Justification[] {
  return main.bonds.bonds.map(({ validator }) => {
    const latestBlockHash = dag.latestMessage(hashKey(validator));
    if (latestBlockHash === undefined) throw new ProposeError({ code: "noLatestMessage", validator });
    return { validator, latestBlockHash };
  });
}

interface Slashing extends Pick<Snapshot, "justifications" | "invalidBlocks" | "extraBytes" | "toSlash"> {
  /** Whether a vote that the own latest message did not know is progress here, and there is one. */
  readonly hasNewVote: boolean;
}

/** Chooses how a block names offenders, and which it slashes. */
function slashingByEvidence(
  dag: DagView,
  parents: readonly BlockMetadata[],
  { senderKey, own }: Pick<SlashingView, "senderKey" | "own">,
): Slashing {
  const main = parents[0]!;
  const past = { senderKey, parents, justifications: justificationsOn(dag, main) };
  const { justifications, offences } = includeKnownEvidence(dag, past);
  const invalidBlocks = slashableFacts(main, offences);
  const extraBytes = printEvidence(justifications, offences);
  const hasNewVote =
    own !== undefined && hasNewerJustification(dag, { senderKey, main, justifications, offences }, own);
  return { justifications, invalidBlocks, extraBytes, toSlash: invalidBlocks.map(({ hash }) => hash), hasNewVote };
}

function slashingByArrival(dag: DagView, view: SlashingView): Slashing {
  const slashings = slashingsOn(dag, view);
  // As others will find them: a latest message that is not named counts as unknown.
  return { ...slashings, invalidBlocks: knownInvalidBlocks(slashings, dag), extraBytes: emptyBytes, hasNewVote: false };
}

/** Heights that decide. */
interface AdmittedHeights {
  /** The new block's number. */
  readonly number: bigint;
  /** Deploys valid after this height or a lower one have expired. */
  readonly earliest: bigint;
}

/**
 * rnode's rule: a deploy comes once, and a merge that gives it up is its end.
 *
 * @spec 40 §9.3, §9.5
 */
function pastAdmission(
  dag: DagView,
  parents: readonly BlockMetadata[],
  { number, earliest }: AdmittedHeights,
): DeployAdmission {
  let recent: ReadonlySet<string> | undefined;
  return {
    timeReason({ validAfterBlockNumber }) {
      if (validAfterBlockNumber >= number) return "future";
      return validAfterBlockNumber <= earliest ? "expired" : undefined;
    },
    isInScope({ signature }) {
      const blocks = dag.blocksOfDeploy(signature);
      if (blocks.length === 0) return false;
      recent ??= recentAncestors(dag, parents);
      return blocks.some((hash) => recent?.has(hashKey(hash)) === true);
    },
    isRetry: () => false,
  };
}
