import { type ConsumeEvent, type Event, ProduceEvent } from "@vedette/protocol";
import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";
import { ProduceCounts } from "../event/ProduceCounts.js";
import type { SpaceDialect } from "../form/SpaceDialect.js";
import type { StateStore } from "../history/StateStore.js";
import { type StateRead, StateView } from "../history/StateView.js";
import type { WriteWithState } from "../history/WriteWithState.js";
import type { Datum } from "../leaf/Datum.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import type { GuardHolds } from "../rules/SpaceRules.js";
import { type DatumCandidate, NewDatum, type Search } from "./candidates.js";
import type { ChannelCell, GroupCell } from "./cells.js";
import { checkPermutations, commitChanges } from "./changes.js";
import { HotStore } from "./HotStore.js";
import type { Looks } from "./looks.js";
import {
  type ConsumeMatch,
  type MatchDatum,
  MatchedDatum,
  type ProduceMatch,
  type SoftCheckpoint,
  type Space,
  type SpaceCheckpoint,
  type SpaceMatch,
} from "./Space.js";
import { SpaceError } from "./SpaceError.js";

/** A continuation and the data that complete it. */
export interface Meeting {
  readonly group: GroupCell;
  readonly waiting: WaitingContinuation;
  readonly candidates: readonly DatumCandidate[];
  /** The continuation's place in the group's array; -1 for one that is not stored there. */
  readonly place: number;
}

/** The operands of a consume, checked and looked up. */
export interface ConsumeOperands {
  readonly group: GroupCell;
  readonly waiting: WaitingContinuation;
  readonly event: ConsumeEvent;
}

/** An installed continuation, to be attached again to every new hot store. */
interface Install {
  readonly channels: readonly Par[];
  readonly waiting: WaitingContinuation;
}

/** By the continuation. */
const knownInstalls = new WeakMap<TaggedContinuation, Install>();

const noPeeks: readonly number[] = [];

/** Place of a continuation that is not in the group's array: installed, or just consumed. */
export const noPlace = -1;

/**
 * The common parts of play and replay: storing, removing, installing, going back, committing.
 *
 * Each operation runs to its end before the next begins, so no locks are needed (30 §1.9).
 *
 * @spec 30 §1, §3.5
 */
export abstract class TupleSpace implements Space {
  protected hot: HotStore;
  protected readonly search: Search;
  protected readonly form: SpaceDialect;
  /** Since they were cleared. */
  protected produceCounts = ProduceCounts.none();
  private readonly installs: Install[] = [];
  private checkpoints: SoftCheckpoint[] = [];

  /**
   * @param stateStore the states; committed to by this space alone
   * @param root the state to begin with
   * @param reads collects every read of that state
   * @param guard evaluates the guards of receives; left out: there is none
   * @throws {SpaceError} `unknownRoot`
   */
  constructor(
    protected readonly stateStore: StateStore,
    match: MatchDatum,
    root: Uint8Array,
    reads?: StateRead[],
    private readonly guard: GuardHolds = guardless,
  ) {
    if (!stateStore.hasRoot(root)) throw new SpaceError({ code: "unknownRoot", root });
    this.form = stateStore.form;
    this.hot = new HotStore(new StateView(stateStore, root, reads), this.form.channelHash, this.indexedBy());
    this.search = { hot: this.hot, match, filter: undefined, produced: undefined };
  }

  abstract produce(
    channel: Par,
    data: ListParWithRandom,
    persist: boolean,
    known?: ProduceEvent,
  ): ProduceMatch | undefined;

  abstract consume(
    channels: readonly Par[],
    patterns: readonly BindPattern[],
    continuation: TaggedContinuation,
    persist: boolean,
    peeks: readonly number[],
    known?: ConsumeEvent,
  ): ConsumeMatch | undefined;

  abstract updateProduce(event: ProduceEvent): void;

  /** By what things are found here where there are many. */
  protected abstract indexedBy(): Looks;

  /** Newest first; the log begins anew. */
  protected abstract takeLog(): readonly Event[];
  protected abstract restoreLog(log: readonly Event[]): void;

  /** The root of the state that was opened last. */
  get root(): Uint8Array {
    return this.hot.view.root;
  }

  install(channels: readonly Par[], patterns: readonly BindPattern[], continuation: TaggedContinuation): void {
    if (channels.length !== patterns.length) throw new SpaceError({ code: "patternCount" });
    const install = this.installOf(channels, patterns, continuation);
    this.attach(install);
    this.installs.push(install);
  }

  data(channel: Par): readonly Datum[] {
    return this.hot.data(this.hot.cell(channel)).slice().reverse();
  }

  continuations(channels: readonly Par[]): readonly WaitingContinuation[] {
    const group = this.hot.group(channels);
    const stored = this.hot.continuations(group).slice().reverse();
    return group.installed === undefined ? stored : [group.installed, ...stored];
  }

  joins(channel: Par): readonly (readonly Par[])[] {
    const cell = this.hot.cell(channel);
    const stored = this.hot.joins(cell).slice().reverse();
    return [...cell.installedJoins.slice().reverse(), ...stored].map((group) => group.channels);
  }

  softCheckpoint(): SoftCheckpoint {
    this.hot.journal.isOn = true;
    const { produceCounts } = this;
    this.produceCounts = ProduceCounts.none();
    const checkpoint = { log: this.takeLog(), produceCounts, journalLength: this.hot.journal.length };
    this.checkpoints.push(checkpoint);
    return checkpoint;
  }

  revert(to: SoftCheckpoint): void {
    const index = this.checkpoints.lastIndexOf(to);
    if (index < 0) throw new SpaceError({ code: "checkpointGone" });
    // Later checkpoints lie on the path that is given up here; this one can be used again.
    this.checkpoints.length = index + 1;
    this.hot.journal.revert(to.journalLength);
    this.produceCounts = to.produceCounts.copy();
    this.restoreLog(to.log);
  }

  /**
   * As {@link softCheckpoint}, without a way back: all checkpoints are given up, with what they kept alive.
   *
   * PERF: what a deploy has used up can go with the deploy, instead of staying for the whole block.
   */
  settle(): void {
    this.softCheckpoint();
    this.checkpoints = [];
    this.hot.journal.clear();
  }

  reset(root: Uint8Array): void {
    if (!this.stateStore.hasRoot(root)) throw new SpaceError({ code: "unknownRoot", root });
    this.takeLog();
    this.produceCounts = ProduceCounts.none();
    this.open(root);
  }

  checkpoint(also?: WriteWithState): SpaceCheckpoint {
    const root = commitChanges(this.stateStore, this.hot, also);
    const log = this.takeLog();
    this.produceCounts = ProduceCounts.none();
    this.open(root);
    return { root, log };
  }

  /** Whether what was done so far can be committed at all. @throws {HistoryError} `duplicateAction` @spec 30 §1.10(2) */
  checkCommit(): void {
    checkPermutations(this.hot);
  }

  /** @throws {SpaceError} `noChannels`, `patternCount` */
  protected consumeOperands(
    channels: readonly Par[],
    patterns: readonly BindPattern[],
    continuation: TaggedContinuation,
    how: { readonly persist: boolean; readonly peeks: readonly number[]; readonly known: ConsumeEvent | undefined },
  ): ConsumeOperands {
    if (channels.length === 0) throw new SpaceError({ code: "noChannels" });
    if (channels.length !== patterns.length) throw new SpaceError({ code: "patternCount" });
    const { persist, peeks, known } = how;
    const group = this.hot.group(channels);
    const event = known ?? this.form.consumeEvent(hashesOf(group), patterns, continuation, persist);
    const fields = { patterns, continuation, persist, peeks: sortedPeeks(peeks), source: event };
    return { group, event, waiting: this.form.waiting(fields) };
  }

  protected produceOperands(
    channel: Par,
    data: ListParWithRandom,
    persist: boolean,
    known: ProduceEvent | undefined,
  ): NewDatum {
    const cell = this.hot.cell(channel);
    const event =
      known === undefined ? this.form.produceEvent(cell.hash, data, persist) : plainEvent(known, cell, persist);
    if (!persist) this.produceCounts.add(event.hash);
    return new NewDatum(cell, this.form.datum(data, persist, event));
  }

  protected storeContinuation({ group, waiting }: ConsumeOperands): void {
    if (this.form.rules.isStored(this.hot, group, waiting)) this.hot.putContinuation(group, waiting);
    for (const cell of group.cells) this.hot.putJoin(cell, group);
  }

  /** Removes what a match used up. @spec 30 §1.6 step 5 */
  protected removeAfterProduce({ group, waiting, candidates, place }: Meeting): void {
    if (!waiting.persist) this.hot.removeContinuation(group, waiting, place);
    this.form.rules.removeAfterProduce(this.hot, group, candidates);
  }

  /** Data for every bind, which the guard of the continuation agrees to. @spec 30 §1.4, 61 §3 */
  protected findGuarded(group: GroupCell, waiting: WaitingContinuation): DatumCandidate[] | undefined {
    const candidates = this.form.rules.findCandidates(this.search, group, waiting.patterns);
    return candidates === undefined || this.guardHolds(waiting, candidates) ? candidates : undefined;
  }

  private guardHolds(waiting: WaitingContinuation, candidates: readonly DatumCandidate[]): boolean {
    const { guard } = waiting.continuation;
    if (guard === undefined) return true;
    const matched = candidates.map((candidate) => candidate.matched);
    return this.guard(guard, matched);
  }

  /** PERF: the same processes are installed in the space of every block. */
  private installOf(channels: readonly Par[], patterns: readonly BindPattern[], continuation: TaggedContinuation) {
    const known = knownInstalls.get(continuation);
    if (known?.channels === channels && known.waiting.patterns === patterns) return known;
    const hashes = channels.map((channel) => this.hot.cell(channel).hash);
    const source = this.form.consumeEvent(hashes, patterns, continuation, true);
    const waiting = this.form.waiting({ patterns, continuation, persist: true, peeks: noPeeks, source });
    const install: Install = { channels, waiting };
    knownInstalls.set(continuation, install);
    return install;
  }

  private open(root: Uint8Array): void {
    this.checkpoints = [];
    this.hot = new HotStore(new StateView(this.stateStore, root), this.form.channelHash, this.indexedBy());
    this.search.hot = this.hot;
    for (const install of this.installs) this.attach(install);
  }

  private attach({ channels, waiting }: Install): void {
    const group = this.hot.group(channels);
    this.search.produced = undefined;
    this.search.filter = undefined;
    if (this.form.rules.findCandidates(this.search, group, waiting.patterns) !== undefined)
      throw new SpaceError({ code: "installMatched" });
    group.installed = waiting;
    for (const cell of group.cells) this.hot.installJoin(cell, group);
  }
}

/**
 * The event of an operation that is repeated. In replay it came from a block, and the block's author may have written
 * anything beside the hash. The stored event must not contain that, nor the outputs of a call.
 */
function plainEvent(known: ProduceEvent, cell: ChannelCell, persist: boolean): ProduceEvent {
  return known.channelsHash === cell.hash && known.isDeterministic && known.persistent === persist
    ? known
    : new ProduceEvent(cell.hash, known.hash, persist);
}

/** The guard of a space without guards. */
function guardless(): boolean {
  return true;
}

function hashesOf({ cells }: GroupCell): readonly Uint8Array[] {
  return cells.length === 1 ? [cells[0]!.hash] : cells.map((cell) => cell.hash);
}

/** A meeting as its caller sees it. @spec 30 §1.5, §1.6 */
export function matchOf<Source extends ConsumeEvent | ProduceEvent>(
  { group, waiting, candidates }: Meeting,
  event: Source,
): SpaceMatch & { readonly event: Source } {
  const results = new Array<MatchedDatum>(candidates.length);
  for (let i = 0; i < candidates.length; i += 1) {
    const { cell, matched, datum } = candidates[i]!;
    results[i] = new MatchedDatum(cell.channel, matched, datum.a, datum.persist);
  }
  return {
    continuation: waiting.continuation,
    persistent: waiting.persist,
    peek: waiting.peeks.length > 0,
    peeks: waiting.peeks,
    channels: group.channels,
    patterns: waiting.patterns,
    results,
    event,
  };
}

function sortedPeeks(peeks: readonly number[]): readonly number[] {
  return peeks.length < 2 ? peeks : [...new Set(peeks)].sort((left, right) => left - right);
}
