import { compareBytes, equalBytes } from "@vedette/crypto";
import { type DeployKey, hashKey } from "@vedette/protocol";
import type { BlockTable } from "../block/BlockTable.js";
import type { Chain } from "../Chain.js";
import { unfinalizedAncestors } from "../dag/ancestors.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { hasSelectable } from "./chooseDeploys.js";
import type { DeployPool } from "./DeployPool.js";
import type { ProposeRules, ProposeView } from "./ProposeRules.js";
import type { Snapshot } from "./snapshot.js";
import { standingOf, type ValidatorStanding } from "./standing.js";

/** The inputs of the decision to make a block now. @spec 40 §9.10 */
export interface ProposeConditions {
  /** Place among the active validators, in the order of their keys; `undefined`: not one of them. */
  readonly turn: number | undefined;
  readonly activeValidators: number;
  /** A deploy of the pool can be in the block, by what the block will begin with. */
  readonly hasWaitingDeploy: boolean;
  /** A block below that is not final yet has a deploy. */
  readonly hasUnfinalizedDeploy: boolean;
  /** Invalid latest messages to slash for. */
  readonly slashes: number;
  /**
   * There are blocks of others that a block without deploys would build on, or a deploy of the validator's own replaces
   * them: the block would be valid.
   */
  readonly mayPropose: boolean;
  /** Unix milliseconds. */
  readonly lastFinalizedMs: number;
  readonly standing: ValidatorStanding;
}

/** The parts from which the conditions are read. */
export interface ProposeConditionsOptions {
  readonly chain: Chain;
  readonly pool: DeployPool;
  readonly key: { readonly publicKey: Uint8Array };
  readonly dummyKey?: DeployKey | undefined;
  readonly slashesUnconfirmed?: boolean | undefined;
  readonly nowMs: () => number;
  readonly rules: ProposeRules;
}

/** Blocks that are remembered as having deploys or not. */
const maxRemembered = 10_000;

/** Looks at the chain on behalf of a heartbeat. @spec 40 §9.10 */
export class ProposeConditionsReader {
  readonly #use: ProposeConditionsOptions;
  readonly #withDeploys = new Map<string, boolean>();

  constructor(use: ProposeConditionsOptions) {
    this.#use = use;
  }

  /** @throws {ProposeError} `notBegun` */
  async look(): Promise<ProposeConditions> {
    const { chain, key, dummyKey, rules } = this.#use;
    const { dag, blocks } = chain;
    await rules.ready?.();
    const view = { ...this.#use, emit: () => {} };
    const snapshot = rules.takeSnapshot(view);
    const hasDeploys = (block: BlockMetadata): boolean => this.#hasDeploys(block, blocks);
    const standing = standingOf({ dag, ownKey: hashKey(key.publicKey), hasDeploys }, snapshot);
    const active = await rules.activeOn(snapshot);
    const turn = [...active].sort(compareBytes).findIndex((validator) => equalBytes(validator, key.publicKey));
    return {
      turn: turn < 0 ? undefined : turn,
      activeValidators: active.length,
      hasWaitingDeploy: await this.#hasWaitingDeploy(snapshot, view),
      hasUnfinalizedDeploy: snapshot.parents.some(
        (parent) => !parent.finalized && [parent, ...unfinalizedAncestors(dag, parent)].some(hasDeploys),
      ),
      slashes: snapshot.toSlash.length,
      mayPropose: snapshot.mayBeEmpty || dummyKey !== undefined,
      lastFinalizedMs: Number(snapshot.lastFinalized.timestamp),
      standing,
    };
  }

  /** The parents' state is only computed if it may decide. */
  async #hasWaitingDeploy(snapshot: Snapshot, view: ProposeView): Promise<boolean> {
    const { pool, rules } = this.#use;
    if (!hasSelectable({ pool, snapshot })) return false;
    const admission = await rules.admissionOn?.(snapshot, view);
    return admission === undefined || hasSelectable({ pool, snapshot: { ...snapshot, admission } });
  }

  #hasDeploys({ key, hash }: BlockMetadata, blocks: BlockTable): boolean {
    const known = this.#withDeploys.get(key);
    if (known !== undefined) return known;
    const found = (blocks.find(hash)?.body.deploys.length ?? 0) > 0;
    if (this.#withDeploys.size >= maxRemembered) this.#withDeploys.clear();
    this.#withDeploys.set(key, found);
    return found;
  }
}
