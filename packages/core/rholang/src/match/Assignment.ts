import type { ElementKind } from "./ElementKind.js";
import { ElementPlaces, placeFrom } from "./ElementPlaces.js";
import { type Captures, type MatchState, noCaptures } from "./MatchState.js";
import { RemainderChain } from "./RemainderChain.js";

/** The state of the search: done, hopeless, or at a test that may have several alternatives. */
export type SearchProgress = "found" | "failed" | "branch";

/** The inputs of an assignment. */
export interface AssignmentInput<T> {
  readonly kind: ElementKind<T>;
  readonly targets: readonly T[];
  readonly patterns: readonly T[];
  /** Number of slots, before those of the patterns, that take any closed target. */
  readonly remainders: number;
  readonly state: MatchState;
  /** Selects the patterns that must be tested outside, since they may match in several ways. */
  readonly branches?: (pattern: T) => boolean;
}

const free = -1;
const ticksPerReport = 1024;

/**
 * Assigns to every pattern, and to every remainder slot before them, a target of its own, in rnode's order
 * of search. A slot that is displaced never looks back, so some solvable cases are not solved.
 *
 * Every test starts from the same captured values; what it captures is kept beside the assignment.
 *
 * @spec 22 §1.8
 * @cost grows with targets × patterns tests, and targets × patterns² steps at worst; a pattern without variables is
 *   tested with few targets
 */
export class Assignment<T> {
  private readonly slots: number;
  /** Claims that wait for the holder of their target to move on: slot and target, alternately. */
  private readonly pending: number[] = [];
  private hasTooManyRemainders = false;
  private topSlot = 0;
  private slot = 0;
  private position = 0;
  private ticks = 0;
  #places: ElementPlaces<T> | undefined = undefined;
  #chain: RemainderChain | undefined = undefined;

  private constructor(
    private readonly input: AssignmentInput<T>,
    private readonly holders: number[],
    /** 1 for a target that was tried for the present pattern. PERF: many are marked, and all cleared, at a time. */
    private readonly seen: Uint8Array,
    private readonly results: Map<number, Captures | false>,
  ) {
    this.slots = input.remainders + input.patterns.length;
  }

  static of<T>(input: AssignmentInput<T>): Assignment<T> {
    const size = input.targets.length;
    const assignment = new Assignment(
      input,
      new Array<number>(size).fill(free),
      new Uint8Array(size),
      new Map<number, Captures | false>(),
    );
    assignment.#places = ElementPlaces.of(input.kind, input.targets, input.patterns);
    assignment.#chain = RemainderChain.of(input.targets, input.remainders, input.kind.isClosed);
    assignment.seatRemainders();
    return assignment;
  }

  /** Goes on until the outcome is known or a test is due that must be made outside. */
  advance(): SearchProgress {
    if (this.hasTooManyRemainders) return "failed";
    const size = this.input.targets.length;
    while (this.topSlot < this.slots) {
      const progress = this.seekTarget(size);
      if (progress === "branch") return progress;
      if (progress === "failed") {
        if (this.pending.length === 0) return this.end("failed");
        this.position = this.pending.pop()! + 1;
        this.slot = this.pending.pop()!;
        continue;
      }
      this.claim(this.position);
    }
    return this.end("found");
  }

  /** The target and the pattern of the test that is due. */
  get dueTarget(): T {
    return this.input.targets[this.position]!;
  }

  get duePattern(): T {
    return this.input.patterns[this.slot - this.input.remainders]!;
  }

  /** Records the outcome of the test that is due. */
  settle(result: Captures | false): void {
    this.results.set(this.slot * this.input.targets.length + this.position, result);
  }

  /** A copy that goes its own way from here. */
  copy(): Assignment<T> {
    const [holders, seen, results] = [this.holders.slice(), this.seen.slice(), new Map(this.results)];
    const copy = new Assignment<T>(this.input, holders, seen, results);
    copy.#places = this.#places;
    copy.#chain = this.#chain?.copy();
    copy.pending.push(...this.pending);
    copy.topSlot = this.topSlot;
    copy.slot = this.slot;
    copy.position = this.position;
    return copy;
  }

  /** The slot that took a target, remainder slots counted first; -1 for none. */
  slotOf(target: number): number {
    return this.holders[target]!;
  }

  /** Returns the captures of each target's slot, for targets that a pattern took. */
  captures(): readonly Captures[] {
    const size = this.input.targets.length;
    const all: Captures[] = [];
    for (let target = 0; target < size; target += 1) {
      const slot = this.holders[target]!;
      if (slot < this.input.remainders) continue;
      const result = this.results.get(slot * size + target);
      if (result !== undefined && result !== false && result !== noCaptures) all.push(result);
    }
    return all;
  }

  /**
   * The targets for the remainder, in their order.
   *
   * Quirk 22 §1.7(1): they are selected by equality, so a target that a pattern took comes again when it equals
   * one that a remainder slot took.
   */
  remainder(): readonly T[] {
    const { targets, remainders, kind } = this.input;
    if (remainders === targets.length) return targets;
    const places = this.#places;
    if (places !== undefined)
      return targets.filter(
        (target, i) => this.isRemainder(i) || places.equalsOne(target, (at) => this.isRemainder(at)),
      );
    const taken = targets.filter((_, i) => this.isRemainder(i));
    return targets.filter((target, i) => this.isRemainder(i) || taken.some((other) => kind.equal(target, other)));
  }

  private isRemainder(target: number): boolean {
    const slot = this.holders[target]!;
    return slot !== free && slot < this.input.remainders;
  }

  /** All remainder slots pass the same tests, so that each displaces the whole chain of those before it. */
  private seatRemainders(): void {
    const { kind, targets, remainders } = this.input;
    let left = remainders;
    for (let target = 0; target < targets.length && left > 0; target += 1) {
      if (!kind.isClosed(targets[target]!)) continue;
      left -= 1;
      this.#hold(target, left);
    }
    this.hasTooManyRemainders = left > 0;
    this.topSlot = remainders;
    this.slot = remainders;
  }

  /** Moves to the next target that the slot can take. */
  private seekTarget(size: number): SearchProgress {
    const places = this.slot < this.input.remainders ? undefined : this.#places?.for(this.duePattern);
    for (let at = placeFrom(places, this.position); at < size; at = placeFrom(places, at + 1)) {
      if (this.seen[at] === 1) continue;
      this.position = at;
      const passed = this.test();
      if (passed === undefined) return "branch";
      if (passed) return "found";
    }
    return "failed";
  }

  private claim(target: number): void {
    this.seen[target] = 1;
    const holder = this.holders[target]!;
    if (holder !== free) {
      this.pending.push(this.slot, target);
      this.slot = holder;
      this.position = target + 1;
      if (this.#chain !== undefined && holder < this.input.remainders)
        this.position = this.#chain.next(target + 1, (start, end) => this.seen.fill(1, start, end));
      return;
    }
    this.#hold(target, this.slot);
    while (this.pending.length > 0) {
      const waitedFor = this.pending.pop()!;
      this.#hold(waitedFor, this.pending.pop()!);
    }
    this.topSlot += 1;
    this.slot = this.topSlot;
    this.position = 0;
    this.seen.fill(0);
  }

  #hold(target: number, slot: number): void {
    this.holders[target] = slot;
    this.#chain?.note(target, slot < this.input.remainders);
  }

  /** @returns `undefined` where the test must be made outside */
  private test(): boolean | undefined {
    const { kind, targets, remainders, state, branches } = this.input;
    if (++this.ticks === ticksPerReport) this.reportWork();
    const target = targets[this.position]!;
    if (this.slot < remainders) return kind.isClosed(target);
    const key = this.slot * targets.length + this.position;
    const known = this.results.get(key);
    if (known !== undefined) return known !== false;
    const pattern = this.duePattern;
    if (kind.isConcrete(pattern)) return this.keep(key, kind.equal(target, pattern) ? noCaptures : false);
    if (branches?.(pattern)) return undefined;
    const mark = state.mark();
    const passed = kind.match(target, pattern, state);
    const result = passed ? state.capturesSince(mark) : false;
    state.undoTo(mark);
    return this.keep(key, result);
  }

  private keep(key: number, result: Captures | false): boolean {
    this.results.set(key, result);
    return result !== false;
  }

  private end(progress: SearchProgress): SearchProgress {
    if (this.ticks > 0) this.reportWork();
    return progress;
  }

  private reportWork(): void {
    this.input.state.meter?.tick(this.ticks);
    this.ticks = 0;
  }
}
