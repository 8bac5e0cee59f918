import { type Chain, findRejection, knownFrom } from "@vedette/chain";
import { type Block, shortHash } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { effectName } from "../ledger/Ledger.js";
import { SimulationFailure } from "./SimulationFailure.js";

/** The options of the checker. */
export interface FinalEffectsOptions {
  /** Returns the deploys with effects in a state; `undefined` if they cannot be derived. */
  readonly effectsIn: (root: Uint8Array) => readonly string[] | undefined;
  /** Whether no merge may undo what a final state has. */
  readonly areKept: boolean;
}

/** Checks that deploys take effect once, and stay in the final state, by every node that has their blocks. */
export class FinalEffects {
  readonly #use: FinalEffectsOptions;
  #before: readonly string[] = [];
  /** Deploys that some node has reported as failed or expired. */
  readonly #ended = new Set<string>();

  constructor(use: FinalEffectsOptions) {
    this.#use = use;
  }

  /** A block that becomes final on the main chain, the lowest first. @throws {SimulationFailure} */
  becomesFinal({ body, hash, number }: Block): void {
    const effects = this.#use.effectsIn(body.state.postStateHash);
    if (effects === undefined) return;
    const now = new Set(effects);
    const place = `${shortHash(hash)} of height ${number}`;
    if (now.size < effects.length) {
      const twice = effects.find((name, at) => effects.indexOf(name) !== at);
      throw new SimulationFailure("a deploy takes effect once", `${twice} is in the state of ${place} again`);
    }
    const lost = this.#use.areKept ? this.#before.find((name) => !now.has(name)) : undefined;
    if (lost !== undefined)
      throw new SimulationFailure("what is final stays in the state", `${lost} is not in that of ${place}`);
    this.#before = effects;
  }

  /**
   * Checks that a node's final statuses match its final state: finalized deploys have their effects there, and failed or
   * expired ones never do.
   *
   * @param heights below the last final block with checked deploys; default: all
   * @throws {SimulationFailure}
   */
  checkFinalStatuses(name: string, chain: Chain, heights?: bigint): void {
    const last = chain.dag.lastFinalized();
    const effects = last === undefined ? undefined : this.#use.effectsIn(last.postStateHash);
    if (last === undefined || effects === undefined) return;
    const there = new Set(effects);
    // A node that began at a state cannot decide about what lies below.
    const known = knownFrom(chain.dag);
    const from = heights === undefined ? 0n : last.number - heights;
    for (const { hash } of chain.dag.blocksByHeight(from, chain.dag.nextBlockNumber()))
      for (const { deploy } of chain.blocks.find(hash)?.body.deploys ?? []) {
        const effect = effectName(deploy.signature);
        const status = chain.finalStatusOf(deploy);
        if (status === "failed" || status === "expired") this.#ended.add(effect);
        const isThere = there.has(effect);
        if ((status === "finalized") === isThere && !(isThere && this.#ended.has(effect))) continue;
        if (status === undefined && deploy.validAfterBlockNumber + 1n < known) continue;
        const reported = this.#ended.has(effect) ? "failed or expired" : (status ?? "undecided");
        throw new SimulationFailure(
          "nodes report what is in the state",
          `${name} reports that ${effect} is ${reported}; it is ${isThere ? "" : "not "}in that of ${shortHash(last.hash)}`,
        );
      }
  }

  /** The deploys of final blocks that merges gave up are noted. @throws {SimulationFailure} */
  checkNoted(name: string, { chain, store }: { readonly chain: Chain; readonly store: Store }): void {
    const last = chain.dag.lastFinalized()!;
    const effects = this.#use.effectsIn(last.postStateHash);
    if (effects === undefined) return;
    const there = new Set(effects);
    const recorded = new Map<string, boolean>();
    for (const { hash } of chain.dag.blocksByHeight(0n, last.number + 1n)) {
      if (!chain.dag.require(hash).finalized) continue;
      for (const { deploy, failed, systemDeployError } of chain.blocks.find(hash)?.body.deploys ?? []) {
        if (failed || systemDeployError !== "") continue;
        const isIn = findRejection(store, hash, deploy.signature) === undefined;
        const effect = effectName(deploy.signature);
        recorded.set(effect, isIn || recorded.get(effect) === true);
      }
    }
    for (const [effect, isIn] of recorded)
      if (isIn !== there.has(effect))
        throw new SimulationFailure(
          "nodes report what is in the state",
          `${name} reports that ${effect} is ${isIn ? "" : "not "}in that of ${shortHash(last.hash)}`,
        );
  }
}
