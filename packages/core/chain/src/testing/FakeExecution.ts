import { blake2b256Of, compareBytes } from "@vedette/crypto";
import type { LeftOutDeploy } from "@vedette/execution";
import { type Block, type Body, type Bond, type Deploy, hashKey, type SystemDeploy } from "@vedette/protocol";
import type { MergeScope } from "../merge/scope.js";
import type { PlayOutcome, PlayRequest, ProposeExecution } from "../propose/ProposeExecution.js";
import type { BlockExecution, ParentsState, ReplayOutcome, ReplayRequest } from "../validation/BlockExecution.js";

interface Work {
  readonly preStateHash: Uint8Array;
  readonly deploys: readonly Deploy[];
  readonly systemDeploys: readonly SystemDeploy[];
  readonly invalidBlocks: ReplayRequest["invalidBlocks"];
}

/** The bonds in each state, by the `hashKey` of its root. */
export type FakeStates = Map<string, readonly Bond[]>;

/** States that are hashes of what led to them, and bonds that change by slashes only. */
export class FakeExecution implements BlockExecution, ProposeExecution {
  readonly plays: PlayRequest[] = [];
  readonly merges: MergeScope[] = [];
  /** Why deploys cannot be executed together; `undefined`: they can. */
  fault: (deploys: readonly Deploy[]) => string | undefined = () => undefined;
  /** The deploys that no block can be made with, which the execution reports. */
  isFatal: (deploy: Deploy) => boolean = () => false;
  /** Whether the machine does not give deploys the time that they may take. */
  isBusy = false;
  /** The duration of a deploy on the clock of plays. */
  takesMs: (deploy: Deploy) => number = () => 0;
  /** The duration of each play's tries on that clock. */
  readonly elapsedMs: number[] = [];
  /** Awaited in each play and replay. */
  pause: (step: "play" | "replay") => Promise<void> = async () => undefined;
  /** Called with each block; `true` makes its replay end in another state than its play. */
  isReplayedOtherwise: (block: Block) => boolean = () => false;
  /** Whether the charge of a deploy fails. */
  isUnpaid: (deploy: Deploy) => boolean = () => false;
  blocksInEpoch = 1_000_000n;
  /** The states that this node has executed or fetched. */
  readonly #bondsAt = new Map<string, readonly Bond[]>();
  readonly #others: FakeStates;

  /** @param others the states of all nodes, from which one fetches what it has not executed itself; default: none */
  constructor(state: Uint8Array, bonds: readonly Bond[], others: FakeStates = new Map()) {
    this.#others = others;
    this.#put(state, bonds);
  }

  async play(request: PlayRequest): Promise<PlayOutcome> {
    this.plays.push(request);
    await this.pause("play");
    const message = this.fault([...new Set(request.tries.map(({ index }) => request.deploys[index]!))]);
    if (message !== undefined) return { kind: "failed", message };
    const { preStateHash, systemDeploys, blockNumber, rejectedDeploys } = request;
    const { deploys, leftOut, playedMs } = this.#tried(request);
    const postStateHash = this.#execute({ ...request, deploys });
    const body: Body = {
      state: { preStateHash, postStateHash, bonds: this.#bondsOf(postStateHash), blockNumber },
      deploys: deploys.map((deploy) => {
        const isUnpaid = this.isUnpaid(deploy);
        const systemDeployError = isUnpaid ? "Deploy payment failed: Insufficient funds" : "";
        return { deploy, cost: isUnpaid ? 0n : 1n, log: [], failed: false, systemDeployError };
      }),
      systemDeploys: systemDeploys.map((systemDeploy) => ({ systemDeploy, log: [], error: "" })),
      extraBytes: new Uint8Array(0),
      rejectedDeploys: rejectedDeploys.map((signature) => ({ signature })),
    };
    return { kind: "played", body, leftOut, playedMs };
  }

  /** By a clock of its own, on which each deploy takes its {@link takesMs}. */
  #tried({ deploys, tries }: PlayRequest): {
    deploys: Deploy[];
    leftOut: LeftOutDeploy[];
    playedMs: number;
  } {
    let [nowMs, playedMs] = [0, 0];
    const done = new Set<number>();
    const stopped = new Set<string>();
    const played: Deploy[] = [];
    const leftOut: LeftOutDeploy[] = [];
    for (const { index, maximumMs, beginBeforeMs, names } of tries) {
      if (done.has(index) || nowMs >= beginBeforeMs || names.some((name) => stopped.has(name))) continue;
      done.add(index);
      const deploy = deploys[index]!;
      const elapsedMs = Math.min(this.takesMs(deploy), maximumMs);
      nowMs += elapsedMs;
      const isLate = this.takesMs(deploy) > maximumMs;
      if (!isLate && !this.isFatal(deploy)) {
        played.push(deploy);
        playedMs += elapsedMs;
        continue;
      }
      for (const name of names) stopped.add(name);
      const isOfMachine = isLate && this.isBusy;
      leftOut.push({ index, reason: isLate ? "it takes too long" : "/ by zero", isLimit: isLate, isOfMachine });
    }
    this.elapsedMs.push(nowMs);
    return { deploys: played, leftOut, playedMs };
  }

  async replay({ block, preStateHash, invalidBlocks }: ReplayRequest): Promise<ReplayOutcome> {
    await this.pause("replay");
    if (this.isReplayedOtherwise(block)) return { kind: "failed", message: "other cost" };
    const deploys = block.body.deploys.map(({ deploy }) => deploy);
    const systemDeploys = block.body.systemDeploys.map(({ systemDeploy }) => systemDeploy);
    return { kind: "replayed", postStateHash: this.#execute({ preStateHash, deploys, systemDeploys, invalidBlocks }) };
  }

  async merge(scope: MergeScope): Promise<ParentsState> {
    this.merges.push(scope);
    const stateHash = blake2b256Of([scope.baseStateHash, ...scope.blocks]);
    this.#put(stateHash, this.#bondsOf(scope.baseStateHash));
    return { stateHash, rejectedDeploys: [] };
  }

  /** On f1r3node networks: what was slashed for in any of the blocks stays so. */
  mergedState(base: Uint8Array, blocks: readonly Block[]): Uint8Array {
    const stateHash = blake2b256Of([base, ...blocks.map(({ hash }) => hash)]);
    const others = blocks.map(({ body }) => this.#bondsOf(body.state.postStateHash));
    const bonds = this.#bondsOf(base).map(({ validator, stake }) => {
      const key = hashKey(validator);
      const isSlashed = others.some((all) => all.some((bond) => hashKey(bond.validator) === key && bond.stake === 0n));
      return { validator, stake: isSlashed ? 0n : stake };
    });
    this.#put(stateHash, bonds);
    return stateHash;
  }

  parentsPostState(_block: Block, scope: MergeScope): Promise<ParentsState> {
    return this.merge(scope);
  }

  async bonds(stateHash: Uint8Array): Promise<readonly Bond[]> {
    return this.#bondsOf(stateHash);
  }

  async activeValidators(stateHash: Uint8Array): Promise<readonly Uint8Array[]> {
    return this.#bondsOf(stateHash).flatMap(({ validator, stake }) => (stake > 0n ? [validator] : []));
  }

  async epochLength(): Promise<bigint> {
    return this.blocksInEpoch;
  }

  #execute({ preStateHash, deploys, systemDeploys, invalidBlocks }: Work): Uint8Array {
    let bonds = this.#bondsOf(preStateHash);
    const parts = [preStateHash, ...deploys.map(({ signature }) => signature)];
    // A program that reads the map has all of it in its events.
    if (systemDeploys.some(({ kind }) => kind === "slash"))
      parts.push(...invalidBlocks.map(({ hash }) => hash).sort(compareBytes));
    for (const systemDeploy of systemDeploys) {
      if (systemDeploy.kind !== "slash") continue;
      const hash = hashKey(systemDeploy.invalidBlockHash);
      const offender = invalidBlocks.find((one) => hashKey(one.hash) === hash)?.sender;
      if (offender === undefined) continue;
      const key = hashKey(offender);
      bonds = bonds.map((bond) => (hashKey(bond.validator) === key ? { ...bond, stake: 0n } : bond));
      parts.push(offender);
    }
    const state = blake2b256Of([...parts, Uint8Array.of(systemDeploys.length)]);
    this.#put(state, bonds);
    return state;
  }

  #bondsOf(state: Uint8Array): readonly Bond[] {
    const key = hashKey(state);
    const bonds = this.#bondsAt.get(key) ?? this.#others.get(key);
    if (bonds === undefined) throw new Error("no node has the state");
    this.#bondsAt.set(key, bonds);
    return bonds;
  }

  #put(state: Uint8Array, bonds: readonly Bond[]): void {
    for (const known of [this.#bondsAt, this.#others]) known.set(hashKey(state), bonds);
  }

  hasState(state: Uint8Array): boolean {
    return this.#bondsAt.has(hashKey(state));
  }
}
