import type { DeployTry } from "@vedette/execution";
import type { BlockSigner, Deploy, SlashDeploy } from "@vedette/protocol";
import type { Chain } from "../Chain.js";
import type { JudgedDeploy } from "../outcome/finalDeployStatus.js";
import type { DeployAdmission } from "./DeployAdmission.js";
import type { EmitProposeEvent } from "./ProposeEvent.js";
import type { PlayOutcome } from "./ProposeExecution.js";
import type { Snapshot } from "./snapshot.js";

/** The proposing validator and its chain. */
export interface ProposeView {
  readonly chain: Chain;
  /** The validator's. */
  readonly key: Pick<BlockSigner, "publicKey">;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly slashesUnconfirmed?: boolean | undefined;
  readonly emit: EmitProposeEvent;
}

/** The user deploys of a block to execute, and how long the rest may take. */
export interface PlayWork {
  readonly deploys: readonly Deploy[];
  /** In this order. */
  readonly tries: readonly DeployTry[];
  /** When the system deploys are given up. */
  readonly maximumMs: number;
}

/** Where a new block begins: what its parents leave is there. */
export interface BlockTemplate {
  readonly snapshot: Snapshot;
  readonly timestamp: bigint;
  readonly slashes: readonly SlashDeploy[];
  /** Executes a block that begins here. Rejections count as failures. */
  play(work: PlayWork): Promise<PlayOutcome>;
}

/** How blocks of one's own are made; networks of the two kinds of nodes differ in it. @spec 40 §9, 61 §17 */
export interface ProposeRules {
  /** Awaited before anything else is called; optional. */
  readonly ready?: () => Promise<void>;
  /**
   * Looks at the DAG for a new block. Nothing is awaited, so that all parts belong together.
   *
   * @throws {ProposeError} `notBegun`, `noLatestMessage`
   */
  takeSnapshot(view: ProposeView): Snapshot;
  /** Returns the validators that may make a block on these parents. Rejects if the state cannot be queried. */
  activeOn(snapshot: Pick<Snapshot, "parents">): Promise<readonly Uint8Array[]>;
  /**
   * Which deploys a block on these parents can have, by what the parents leave, as {@link prepare} finds it; left out:
   * the snapshot knows.
   */
  readonly admissionOn?: (snapshot: Snapshot, view: ProposeView) => Promise<DeployAdmission>;
  /** Prepares what the parents leave; where they cannot be merged, what the first leaves. */
  prepare(snapshot: Snapshot, timestamp: bigint, view: ProposeView): Promise<BlockTemplate>;
  /** Whether a deploy in a final block has its final outcome, so that it need not be included again. */
  isSettled(chain: Pick<Chain, "dag" | "finalStatusOf">, deploy: JudgedDeploy): boolean;
}
