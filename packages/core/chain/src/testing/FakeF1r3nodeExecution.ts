import { compareBytes, emptyBytes } from "@vedette/crypto";
import { type Block, type Bond, type Deploy, hashKey, type RejectedDeploy } from "@vedette/protocol";
import { ChainError } from "../ChainError.js";
import type { F1r3nodePlay, F1r3nodePlayOutcome, F1r3nodeProposeExecution } from "../propose/f1r3node/F1r3nodePlay.js";
import type { ReplayOutcome, ReplayRequest } from "../validation/BlockExecution.js";
import type { F1r3nodeMerge, F1r3nodeState } from "../validation/f1r3node/F1r3nodeBlockExecution.js";
import type { FakeExecution } from "./FakeExecution.js";

/**
 * Answers the queries of f1r3node's rules with a {@link FakeExecution}. If deploys contest something, one comes into a
 * merged state and the others are given up.
 */
export class FakeF1r3nodeExecution implements F1r3nodeProposeExecution {
  /** Whether a deploy contests what all such deploys contest. */
  isContested: (deploy: Deploy) => boolean = () => false;
  readonly #states: FakeExecution;
  readonly #find: (hash: Uint8Array) => Block | undefined;

  /** @param find blocks that are merged */
  constructor(states: FakeExecution, find: (hash: Uint8Array) => Block | undefined) {
    this.#states = states;
    this.#find = find;
  }

  async merge({ baseState, merged, lineage, settled, recorded, isLocal }: F1r3nodeMerge): Promise<F1r3nodeState> {
    const leftBy = merged.map((hash) => this.#find(hash)!.body.state.postStateHash);
    if (isLocal === true) for (const state of [baseState, ...leftBy]) this.#requireHere(state);
    const deploysOf = (hash: Uint8Array) => this.#find(hash)!.body.deploys.map(({ deploy }) => deploy);
    let isTaken = lineage.some((hash) => deploysOf(hash).some(this.isContested));
    const applied = new Map<string, Uint8Array>();
    const records: RejectedDeploy[] = [];
    for (const carrier of merged)
      for (const deploy of deploysOf(carrier)) {
        const { signature } = deploy;
        const key = hashKey(signature);
        if (settled.has(key) || applied.has(key)) continue;
        const isContested = this.isContested(deploy);
        if (isContested && isTaken) records.push({ signature, duplicate: false, carrier });
        else applied.set(key, signature);
        isTaken ||= isContested;
      }
    const isNew = (record: RejectedDeploy) => recorded.every((one) => nameOf(one) !== nameOf(record));
    const stateHash = this.#states.mergedState(
      baseState,
      merged.map((hash) => this.#find(hash)!),
    );
    const fresh = records.filter((record) => !applied.has(hashKey(record.signature)) && isNew(record));
    return { stateHash, records: fresh, applied: [...applied.values()].sort(compareBytes), unslashed: [] };
  }

  async replay(request: ReplayRequest): Promise<ReplayOutcome> {
    if (request.isLocal === true) this.#requireHere(request.preStateHash);
    return this.#states.replay(request);
  }

  #requireHere(root: Uint8Array): void {
    if (!this.#states.hasState(root)) throw new ChainError({ code: "stateMissing", root });
  }

  async play(play: F1r3nodePlay): Promise<F1r3nodePlayOutcome> {
    const outcome = await this.#states.play({ ...play, rejectedDeploys: [] });
    if (outcome.kind === "failed") return outcome;
    const { body, leftOut, playedMs } = outcome;
    const { deploys, systemDeploys, state } = body;
    return {
      ...{ kind: "played", leftOut, playedMs },
      parts: { postStateHash: state.postStateHash, deploys, systemDeploys },
    };
  }

  async committee(stateHash: Uint8Array): Promise<readonly Bond[]> {
    return (await this.#states.bonds(stateHash)).filter(({ stake }) => stake > 0n);
  }
}

function nameOf({ signature, carrier = emptyBytes }: RejectedDeploy): string {
  return `${hashKey(signature)} ${hashKey(carrier)}`;
}
