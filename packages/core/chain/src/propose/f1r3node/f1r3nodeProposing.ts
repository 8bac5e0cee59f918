import { emptyBytes } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { Block } from "@vedette/protocol";
import { type Body, type Bond, hashKey, type SlashDeploy } from "@vedette/protocol";
import type { Chain } from "../../Chain.js";
import { ChainError } from "../../ChainError.js";
import { deployLifespan } from "../../ChainRules.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import type { FloorFacts } from "../../finality/f1r3node/Floors.js";
import { chooseF1r3nodeParents } from "../../forkChoice/f1r3node/chooseF1r3nodeParents.js";
import type { Vote } from "../../forkChoice/f1r3node/TipRanking.js";
import type { FloorPreState } from "../../merge/f1r3node/FloorPreState.js";
import { floorPreState } from "../../merge/f1r3node/parentsState.js";
import type { JudgedDeploy } from "../../outcome/finalDeployStatus.js";
import { slashesOf } from "../../slashing/f1r3node/epochSlashing.js";
import type { F1r3nodeCheckSources } from "../../validation/f1r3node/f1r3nodeChecks.js";
import type { DeployAdmission } from "../DeployAdmission.js";
import { ProposeError } from "../ProposeError.js";
import type { PlayOutcome } from "../ProposeExecution.js";
import type { BlockTemplate, PlayWork, ProposeRules, ProposeView } from "../ProposeRules.js";
import { justificationsOn, type Snapshot } from "../snapshot.js";
import { agreedSlashes } from "./agreedSlashes.js";
import type { F1r3nodeProposeExecution } from "./F1r3nodePlay.js";
import { f1r3nodeAdmission } from "./f1r3nodeAdmission.js";
import { harmedDeploys, keepingParents } from "./keepingParents.js";
import { stayingParents } from "./stayingParents.js";
import { undisputedLatest } from "./undisputedLatest.js";

/** The sources for making blocks, beside the DAG. */
export interface F1r3nodeProposeSources extends F1r3nodeCheckSources {
  readonly execution: F1r3nodeProposeExecution;
  /** The parents are those that f1r3node would choose, also where deploys are lost by that; left out: others then. */
  readonly losesDeploys?: boolean | undefined;
}

/**
 * Makes blocks on f1r3node networks, with the contents that all other nodes derive for them.
 *
 * Ours: where a block would lose deploys, it has other parents. Where the parents cannot be merged, a block is made on
 * the main parent alone. Deploys are in the order in which they were tried; no check covers it. An invalid block is
 * neither named nor slashed for before all others slash.
 *
 * @spec 61 §1.3, §13.7, §15.3, §15.5, §17
 */
export function f1r3nodeProposing(sources: F1r3nodeProposeSources): ProposeRules {
  const rules = new F1r3nodeProposing(sources);
  return {
    takeSnapshot: (view) => rules.takeSnapshot(view),
    async activeOn({ parents }) {
      return parents[0]!.bonds.bonds.flatMap(({ validator, stake }) => (stake > 0n ? [validator] : []));
    },
    admissionOn: (snapshot, view) => rules.admissionOn(snapshot, view),
    prepare: (snapshot, timestamp, view) => rules.prepare(snapshot, timestamp, view),
    isSettled: (chain, deploy) => isSettled(sources, chain, deploy),
  };
}

class F1r3nodeProposing {
  readonly #sources: F1r3nodeProposeSources;

  constructor(sources: F1r3nodeProposeSources) {
    this.#sources = sources;
  }

  takeSnapshot(view: ProposeView): Snapshot {
    const { chain, key } = view;
    const { dag, rules } = chain;
    const approved = dag.approvedBlock();
    if (approved === undefined) throw new ProposeError({ code: "notBegun" });
    const latest = dag.latestMessages().map(({ validator, hash }) => ({ validator, block: dag.require(hash) }));
    const votes = latest.filter(({ block }) => !block.invalid);
    const chosen = chooseF1r3nodeParents({ ...this.#sources, dag, rules }, approved, {
      votes,
      ownKey: hashKey(key.publicKey),
    });
    view.emit({
      type: "parentsChosen",
      validators: latest.length,
      invalid: latest.length - votes.length,
      valid: votes.length,
      afterBondFilter: chosen.length,
      parents: chosen.length,
    });
    try {
      return this.#snapshotOn(this.#keeping(chosen, votes, view), view);
    } catch (error) {
      if (!(error instanceof ChainError) || chosen.length === 1) throw error;
      view.emit({ type: "mergeGivenUp", parents: chosen.length, reason: error.message });
      return this.#snapshotOn(this.#groundOn(chosen.slice(0, 1), view), view);
    }
  }

  /** The parents that were chosen, or others where these leave the own side or lose deploys. */
  #keeping(chosen: readonly BlockMetadata[], votes: readonly Vote[], view: ProposeView): Ground {
    if (this.#sources.losesDeploys === true) return this.#groundOn(chosen, view);
    const { dag, rules } = view.chain;
    const staying = this.#staying(chosen, votes, view);
    const ground = this.#groundOn(staying, view);
    const better = keepingParents({ ...this.#sources, dag, rules }, ground, (parents) => this.#groundOn(parents, view));
    if (better !== ground || staying !== chosen)
      view.emit({ type: "parentsExchanged", parents: better.parents.length, main: better.parents[0]!.hash });
    return better;
  }

  /** Where a validator that has stake made two blocks at once, or an invalid one. @spec 61 §15.5 */
  #staying(
    chosen: readonly BlockMetadata[],
    votes: readonly Vote[],
    { chain, key }: ProposeView,
  ): readonly BlockMetadata[] {
    const { dag, rules, equivocations } = chain;
    const { stakes } = chosen[0]!.bonds;
    if (!equivocations.records().some(({ validatorKey }) => (stakes.get(validatorKey) ?? 0n) > 0n)) return chosen;
    const own = dag.latestMessage(hashKey(key.publicKey));
    return stayingParents(chosen, { dag, rules, votes, own: own === undefined ? undefined : dag.find(own) });
  }

  async prepare(snapshot: Snapshot, timestamp: bigint, view: ProposeView): Promise<BlockTemplate> {
    return this.#onMergeable(snapshot, view, (one) => this.#templateOn(one, timestamp, view));
  }

  async admissionOn(snapshot: Snapshot, view: ProposeView): Promise<DeployAdmission> {
    const timestamp = BigInt(Math.floor(view.nowMs()));
    const { admission } = await this.#onMergeable(snapshot, view, (one) => this.#beginOn(one, timestamp, view));
    return admission;
  }

  /** On the first parent above the floor alone where all parents together cannot be merged. */
  async #onMergeable<Result>(
    snapshot: Snapshot,
    view: ProposeView,
    make: (snapshot: Snapshot) => Promise<Result>,
  ): Promise<Result> {
    const { parents, earliest } = snapshot;
    try {
      return await make(snapshot);
    } catch (error) {
      if (parents.length === 1) throw error;
      view.emit({ type: "mergeGivenUp", parents: parents.length, reason: errorText(error) });
      const alone = parents.find(({ number }) => number - deployLifespan > earliest) ?? parents[0]!;
      return make(this.#snapshotOn(this.#groundOn([alone], view), view));
    }
  }

  #groundOn(parents: readonly BlockMetadata[], { chain, key, slashesUnconfirmed = false }: ProposeView): Ground {
    const { dag, equivocations } = chain;
    const senderKey = hashKey(key.publicKey);
    const own = dag.latestMessage(senderKey);
    const ownLatest = own === undefined ? undefined : dag.require(own);
    const justifications = slashesUnconfirmed
      ? justificationsOn(dag, parents[0]!)
      : undisputedLatest(parents[0]!, { dag, equivocations, senderKey, own: ownLatest });
    const { floor } = this.#sources.floors.derive({ parents, justifications });
    return { parents, justifications, ownLatest, floor };
  }

  #snapshotOn({ parents, justifications, ownLatest, floor }: Ground, view: ProposeView): Snapshot {
    const { chain, nowMs } = view;
    const { dag } = chain;
    const lastFinalized = dag.lastFinalized();
    if (lastFinalized === undefined) throw new ProposeError({ code: "notBegun" });
    const number = 1n + parents.reduce((most, parent) => (parent.number > most ? parent.number : most), -1n);
    const timestamp = BigInt(Math.floor(nowMs()));
    const past = { parents, floor, number, timestamp, effects: new Set<string>() };
    return {
      ...{ parents, justifications, ownLatest, lastFinalized, number },
      sequenceNumber: (ownLatest?.sequenceNumber ?? 0) + 1,
      earliest: floor.number - deployLifespan,
      invalidBlocks: [],
      extraBytes: emptyBytes,
      toSlash: this.#slashes({ number, parents }, [], view).map((one) => one.invalidBlockHash),
      // A block that only closes is always valid (61 §14.2).
      mayBeEmpty: true,
      admission: f1r3nodeAdmission({ dag, facts: this.#sources.facts }, past),
    };
  }

  /** Computes the state that the parents leave, and which deploys can come upon it. */
  async #beginOn(
    { parents, justifications, number }: Snapshot,
    timestamp: bigint,
    { chain }: ProposeView,
  ): Promise<Beginning> {
    const { dag } = chain;
    const { floors, facts } = this.#sources;
    const found = floors.derive({ parents, justifications });
    const state = await floorPreState({ ...this.#sources, dag }, parents, found);
    const effects = this.#effectsBelow(dag, parents, found, state);
    const past = { parents, floor: found.floor, number, timestamp, effects };
    return { floor: found.floor, state, admission: f1r3nodeAdmission({ dag, facts }, past) };
  }

  async #templateOn(snapshot: Snapshot, timestamp: bigint, view: ProposeView): Promise<BlockTemplate> {
    const { chain, key } = view;
    const { dag } = chain;
    const { parents, number } = snapshot;
    const { floor, state, admission } = await this.#beginOn(snapshot, timestamp, view);
    const bonds = await this.#sources.execution.committee(floor.postStateHash);
    const unslashed = unslashedBlocks(chain.blocks, state.unslashed);
    const slashes = this.#slashes({ number, parents }, unslashed, view);
    const invalidBlocks = slashes.map(({ invalidBlockHash }) => {
      const { hash, sender } = dag.require(invalidBlockHash);
      return { hash, sender };
    });
    const begun = { ...snapshot, invalidBlocks, admission };
    this.#noteHarm({ parents, floor }, view);
    return {
      ...{ snapshot: begun, timestamp, slashes },
      play: (work) => this.#play(work, { snapshot: begun, timestamp, slashes, state, bonds, sender: key.publicKey }),
    };
  }

  #noteHarm({ parents, floor }: Pick<Ground, "parents" | "floor">, { chain, emit }: ProposeView): void {
    const { dag, blocks } = chain;
    const { lost, repeated } = harmedDeploys({ ...this.#sources, dag }, { parents, floor });
    if (lost.size + repeated.size === 0) return;
    const signaturesOf = (carriers: ReadonlyMap<string, Uint8Array>) =>
      [...carriers].flatMap(([key, carrier]) => {
        const deploys = blocks.find(carrier)?.body.deploys ?? [];
        return deploys.map(({ deploy }) => deploy.signature).filter((signature) => hashKey(signature) === key);
      });
    const main = parents[0]!.hash;
    emit({
      type: "deploysHarmed",
      lost: signaturesOf(lost),
      repeated: signaturesOf(repeated),
      main,
      floor: floor.hash,
    });
  }

  #slashes(
    { number, parents }: Pick<Snapshot, "number" | "parents">,
    rejected: readonly Uint8Array[],
    { chain, key, slashesUnconfirmed = false }: ProposeView,
  ): SlashDeploy[] {
    const sender = key.publicKey;
    const isAgreed = slashesUnconfirmed ? undefined : agreedSlashes(chain, parents[0]!, hashKey(sender));
    const suspects = slashesUnconfirmed ? chain.equivocations.records().map(({ validator }) => validator) : [];
    return this.#sources.slashing
      .choose(chain.dag, { number, sender, stakes: stakesOf(parents), rejected, isAgreed, suspects })
      .map(({ invalidBlock, targetActivationEpoch }) => {
        return { kind: "slash", invalidBlockHash: invalidBlock, issuerPublicKey: sender, targetActivationEpoch };
      });
  }

  /** Returns the recent deploys with effects in the state that a block begins with. @spec 61 §17 */
  #effectsBelow(
    dag: DagView,
    parents: readonly BlockMetadata[],
    { floor }: FloorFacts,
    { mergeBase, applied }: FloorPreState,
  ): ReadonlySet<string> {
    const base = mergeBase === undefined ? parents[0]! : dag.require(mergeBase);
    const effects = new Set(this.#sources.lineage.effectsDownTo(base, floor.number - deployLifespan));
    for (const signature of applied) effects.add(hashKey(signature));
    return effects;
  }

  async #play(work: PlayWork, begun: BegunBlock): Promise<PlayOutcome> {
    const { snapshot, timestamp, slashes, state, sender } = begun;
    const { number: blockNumber, sequenceNumber, invalidBlocks } = snapshot;
    const outcome = await this.#sources.execution.play({
      ...work,
      preStateHash: state.stateHash,
      ...{ timestamp, blockNumber, sender, sequenceNumber, invalidBlocks },
      systemDeploys: [...slashes, { kind: "closeBlock" }],
    });
    if (outcome.kind === "failed") return outcome;
    const { parts, leftOut, playedMs } = outcome;
    return { kind: "played", body: bodyOf(begun, parts), leftOut, playedMs };
  }
}

/** The base of a new block. */
interface Ground extends Pick<Snapshot, "parents" | "justifications" | "ownLatest"> {
  readonly floor: BlockMetadata;
}

interface Beginning {
  readonly floor: BlockMetadata;
  readonly state: FloorPreState;
  readonly admission: DeployAdmission;
}

interface BegunBlock extends Pick<BlockTemplate, "snapshot" | "timestamp" | "slashes"> {
  readonly state: FloorPreState;
  readonly bonds: readonly Bond[];
  readonly sender: Uint8Array;
}

/** @spec 61 §1.3 */
function bodyOf(
  { snapshot, state, bonds }: BegunBlock,
  { postStateHash, deploys, systemDeploys }: Pick<Body, "deploys" | "systemDeploys"> & { postStateHash: Uint8Array },
): Body {
  const { stateHash: preStateHash, records, applied, mergeBase } = state;
  return {
    state: { preStateHash, postStateHash, bonds, blockNumber: snapshot.number },
    ...{ deploys, systemDeploys, extraBytes: emptyBytes, rejectedDeploys: records },
    ...(applied.length === 0 ? {} : { appliedFromScope: applied }),
    ...(mergeBase === undefined ? {} : { mergeBase }),
  };
}

/**
 * A deploy has its end when that is decided, or when it failed in a final block: that is not merged, and not given up.
 *
 * @spec 61 §12.4, §13.8, §17
 */
function isSettled(
  { facts }: F1r3nodeCheckSources,
  { dag, finalStatusOf }: Pick<Chain, "dag" | "finalStatusOf">,
  deploy: JudgedDeploy,
): boolean {
  if (finalStatusOf(deploy) !== undefined) return true;
  const key = hashKey(deploy.signature);
  return dag.blocksOfDeploy(deploy.signature).some((hash) => {
    return dag.find(hash)?.finalized === true && !facts.factsOf(hash).introduced.has(key);
  });
}

/** Returns each validator's highest stake among those that the parents state. @spec 61 §15.2, §15.3 */
function stakesOf(parents: readonly BlockMetadata[]): ReadonlyMap<string, bigint> {
  const stakes = new Map<string, bigint>();
  for (const { bonds } of parents)
    for (const [validator, stake] of bonds.stakes)
      if (stake > (stakes.get(validator) ?? 0n)) stakes.set(validator, stake);
  return stakes;
}

/**
 * The invalid blocks of slashes that a merge gave up.
 *
 * @param carriers hashes of the blocks that have the slashes
 * @spec 61 §15.3
 */
function unslashedBlocks(
  blocks: { find(hash: Uint8Array): Block | undefined },
  carriers: readonly Uint8Array[],
): readonly Uint8Array[] {
  return carriers.flatMap((hash) => {
    const carrier = blocks.find(hash);
    return carrier === undefined ? [] : slashesOf(carrier).map(({ invalidBlockHash }) => invalidBlockHash);
  });
}
