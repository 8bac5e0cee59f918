import type { Par } from "@vedette/terms";
import type { WorkMeter } from "./WorkMeter.js";

/** The captures of one element's match, to be applied again later. */
export interface Captures {
  readonly levels: readonly number[];
  readonly values: readonly Par[];
}

/** The captures of a match that binds nothing. */
export const noCaptures: Captures = { levels: [], values: [] };

/**
 * The captured values of a match in progress (`freeMap`), with a trail to go back along.
 *
 * @spec 22 §1.1
 */
export class MatchState {
  private readonly values: (Par | undefined)[] = [];
  private readonly trail: number[] = [];
  private readonly previous: (Par | undefined)[] = [];

  constructor(readonly meter: WorkMeter | undefined) {}

  get(level: number): Par | undefined {
    return this.values[level];
  }

  set(level: number, value: Par): void {
    this.trail.push(level);
    this.previous.push(this.values[level]);
    this.values[level] = value;
  }

  /** A place on the trail, to be given to {@link undoTo} or {@link capturesSince}. */
  mark(): number {
    return this.trail.length;
  }

  undoTo(mark: number): void {
    while (this.trail.length > mark) this.values[this.trail.pop()!] = this.previous.pop();
  }

  /** Returns the captures that were set since `mark`. */
  capturesSince(mark: number): Captures {
    if (this.trail.length === mark) return noCaptures;
    const levels = this.trail.slice(mark);
    return { levels, values: levels.map((level) => this.values[level]!) };
  }

  apply(captures: Captures): void {
    for (let i = 0; i < captures.levels.length; i += 1) this.set(captures.levels[i]!, captures.values[i]!);
  }

  /** All captured values by level, ascending. */
  toMap(): ReadonlyMap<number, Par> {
    if (this.trail.length === 0) return noValues;
    const levels = this.trail.slice().sort((a, b) => a - b);
    const map = new Map<number, Par>();
    for (const level of levels) map.set(level, this.values[level]!);
    return map;
  }
}

const noValues: ReadonlyMap<number, Par> = new Map();
