import { emptyBytes } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, type BlockFields, type BlockSigner, type Body, signBlock } from "@vedette/protocol";
import type { Chain } from "../Chain.js";
import { mergeScopes } from "../merge/scope.js";
import type { ParentsState } from "../validation/BlockExecution.js";
import { mergeableParents } from "./mergeableParents.js";
import type { EmitProposeEvent } from "./ProposeEvent.js";
import type { ProposeExecution } from "./ProposeExecution.js";
import { type Snapshot, type SnapshotView, snapshotOn } from "./snapshot.js";

/** Where a new block begins. */
export interface BlockTemplate {
  readonly snapshot: Snapshot;
  /** What the parents leave. */
  readonly state: ParentsState;
  readonly timestamp: bigint;
}

/** What a template is prepared with. */
export interface TemplateUse {
  readonly chain: Chain;
  readonly execution: ProposeExecution;
  readonly key: BlockSigner;
  readonly slashesUnconfirmed?: boolean | undefined;
  readonly emit: EmitProposeEvent;
}

/**
 * Prepares what the parents leave; where they cannot be merged, what the first leaves.
 *
 * @spec 40 §12, 41 §2.2
 */
export async function prepareTemplate(snapshot: Snapshot, timestamp: bigint, use: TemplateUse): Promise<BlockTemplate> {
  const { parents, lastFinalized } = snapshot;
  const [main] = parents;
  const alone = { stateHash: main!.postStateHash, rejectedDeploys: [] };
  if (parents.length === 1) return { snapshot, timestamp, state: alone };
  try {
    const { chain } = use;
    const epochLength = await use.execution.epochLength(main!.postStateHash);
    const mergeable = mergeableParents(parents, { chain, epochLength, justifications: snapshot.justifications });
    if (mergeable.length > 1) {
      const onMergeable = snapshotOn(chain.dag, mergeable, viewOf(use), lastFinalized);
      const state = await mergedState(onMergeable, use);
      if (state !== undefined) return { snapshot: onMergeable, timestamp, state };
    }
  } catch (error) {
    const reason = errorText(error);
    use.emit({ type: "mergeGivenUp", parents: parents.length, reason });
  }
  const onMain = snapshotOn(use.chain.dag, [main!], viewOf(use), lastFinalized);
  return { snapshot: onMain, timestamp, state: alone };
}

function viewOf({ key, slashesUnconfirmed }: TemplateUse): SnapshotView {
  return { ownKey: key.publicKey, slashesUnconfirmed };
}

async function mergedState(
  { parents, justifications }: Snapshot,
  { chain, execution }: TemplateUse,
): Promise<ParentsState | undefined> {
  const creator = { justifications, threshold: chain.rules.faultToleranceThreshold };
  // The first is the view that a validating node tries first.
  for (const scope of mergeScopes(chain.dag, parents, creator)) return execution.merge(scope);
  return undefined;
}

/** Casper version of blocks. @spec 40 §11 */
const blockVersion = 1n;

/** The finished block. @spec 40 §1.3, §1.4 */
export function signedBlock({ snapshot, timestamp }: BlockTemplate, body: Body, { chain, key }: TemplateUse): Block {
  const { dialect, shardName } = chain.rules;
  const fields: BlockFields = {
    hash: emptyBytes,
    header: {
      parents: snapshot.parents.map(({ hash }) => hash),
      timestamp,
      version: blockVersion,
      extraBytes: emptyBytes,
    },
    body,
    justifications: snapshot.justifications,
    sender: key.publicKey,
    sequenceNumber: snapshot.sequenceNumber,
    signature: emptyBytes,
    signatureAlgorithm: "",
    shardId: shardName,
    extraBytes: snapshot.extraBytes,
  };
  return signBlock(fields, key, dialect);
}
