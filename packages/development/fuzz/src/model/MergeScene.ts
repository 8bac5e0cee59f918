import { blake2b256, SplittableRandom, toHex } from "@vedette/crypto";
import type { Event } from "@vedette/protocol";
import {
  BindPattern,
  ListParWithRandom,
  nil,
  type Par,
  ParContinuation,
  ParWithRandom,
  type TermCodec,
} from "@vedette/terms";
import {
  type MatchDatum,
  memoryStateStore,
  PlaySpace,
  ReplaySpace,
  type Space,
  type SpaceDialect,
  type StateStore,
} from "@vedette/tuplespace";
import { freePattern, int, matchBy, name } from "@vedette/tuplespace/testing";
import fc from "fast-check";
import { must } from "../driver/Target.js";

const channelCount = 5;
const anyChannel = fc.nat({ max: channelCount - 1 });

const anyStep = fc.oneof(
  fc.record({ send: anyChannel, value: fc.nat({ max: 1 }), persist: fc.constantFrom(false, false, true) }),
  fc.record({
    receive: fc.uniqueArray(anyChannel, { minLength: 1, maxLength: 2 }).map((list) => list.sort()),
    pattern: fc.nat({ max: 1 }),
    persist: fc.constantFrom(false, false, true),
  }),
);

/** The steps of a deploy; channels and patterns are numbers here. */
export type MergeStep = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;
/** A deploy of a scene. */
export type MergeSteps = readonly MergeStep[];

export const anySteps = fc.array(anyStep, { minLength: 1, maxLength: 3 });
/** The content before the deploys. */
export const anyBase = fc.array(anyStep, { maxLength: 6 });
/** Two or three blocks side by side. */
export const anyBlocks = fc.array(fc.array(anySteps, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 });

/** One deploy of one block. */
export interface PlayedDeploy {
  readonly id: Uint8Array;
  readonly cost: bigint;
  readonly seed: string;
  readonly steps: MergeSteps;
  readonly log: readonly Event[];
}

/** A block's deploys, and the state that they lead to. */
export interface PlayedBlock {
  readonly root: Uint8Array;
  readonly deploys: readonly PlayedDeploy[];
}

/** How a kind of nodes hashes and stores what lies in a space, and what is sent there. */
export interface MergeForm {
  readonly space: SpaceDialect;
  readonly terms: TermCodec;
  /** The data that a step sends for each of two values. */
  readonly values: readonly [Par, Par];
}

/** Deploys that send and receive on a few channels, played and replayed on the states of one dialect. */
export class MergeScene {
  readonly store: StateStore;
  /** In the order of their encodings (30 §1.10(1)); its own, as what a term remembers of itself is of one dialect. */
  readonly #channels: readonly Par[] = [int(5), name(1), name(2), name(3), name(9, 9)];
  readonly #patterns = [new BindPattern([freePattern], undefined, 1), new BindPattern([int(1)], undefined, 0)];
  readonly #values: MergeForm["values"];
  readonly #encode: TermCodec["encodePar"];
  readonly #match: MatchDatum;

  constructor({ space, terms, values }: MergeForm) {
    this.store = memoryStateStore(space);
    this.#values = values;
    this.#encode = terms.encodePar;
    this.#match = (pattern, data) => matchBy(terms.encodePar, pattern, data);
  }

  /** @param block its name: random states and ids follow from it */
  play(root: Uint8Array, deploys: readonly MergeSteps[], block: string): PlayedBlock {
    const space = new PlaySpace(this.store, this.#match, root);
    const played = deploys.map((steps, index): PlayedDeploy => {
      const seed = `${block}/${index}`;
      this.#run(space, steps, seed);
      const id = blake2b256(new TextEncoder().encode(seed));
      return { id, cost: BigInt(index + 1), seed, steps, log: space.softCheckpoint().log };
    });
    return { root: space.checkpoint().root, deploys: played };
  }

  /** @returns the root; `undefined` where a log does not fit */
  replay(root: Uint8Array, deploys: readonly PlayedDeploy[]): Uint8Array | undefined {
    const space = new ReplaySpace(this.store, this.#match, root);
    for (const { log, steps, seed } of deploys) {
      space.softCheckpoint();
      space.rig(log);
      this.#run(space, steps, seed);
      if (space.checkReplayData() !== undefined) return undefined;
    }
    return space.checkpoint().root;
  }

  /** Nothing lies in a state that could meet: it would have met. */
  checkAtRest(root: Uint8Array): void {
    const space = new PlaySpace(this.store, this.#match, root);
    const hexOf = (channel: Par) => toHex(this.#encode(channel));
    const groups = new Map(
      this.#channels.flatMap((channel) => space.joins(channel).map((join) => [join.map(hexOf).join(), join])),
    );
    for (const join of groups.values()) {
      for (const { patterns: wanted } of space.continuations(join)) {
        const canMeet = join.every((channel, index) =>
          space.data(channel).some((datum) => this.#match(wanted[index]!, datum.a) !== undefined),
        );
        must(!canMeet, "no continuation waits in the merged state for what is there");
      }
    }
  }

  #run(space: Space, steps: MergeSteps, seed: string): void {
    for (const [index, step] of steps.entries()) {
      const random = SplittableRandom.fromSeed(new TextEncoder().encode(`${seed}/${index}`)).toBytes();
      if ("send" in step) {
        const data = new ListParWithRandom([this.#values[step.value]!], random);
        space.produce(this.#channels[step.send]!, data, step.persist);
        continue;
      }
      const wanted = step.receive.map(() => this.#patterns[step.pattern]!);
      const continuation = new ParContinuation(new ParWithRandom(nil, random));
      const names = step.receive.map((channel) => this.#channels[channel]!);
      space.consume(names, wanted, continuation, step.persist, []);
    }
  }
}

/** Channels of an event, also those of the data that a COMM takes; by their hashes, in hex. */
export function channelsOf(event: Event): string[] {
  if (event.kind === "produce") return [toHex(event.channelsHash)];
  if (event.kind === "consume") return event.channelsHashes.map(toHex);
  return [...channelsOf(event.consume), ...event.produces.flatMap(channelsOf)];
}

/**
 * Whether chains of one block touch one channel. Quirk 30 §A.8: each of them then carries all that the block changed
 * there, and merging adds it as often.
 */
export function sharesChannel(
  chains: readonly { readonly deploys: readonly { readonly id: Uint8Array }[] }[],
  deploys: readonly PlayedDeploy[],
): boolean {
  const touched = chains.map((chain) => {
    const ids = new Set(chain.deploys.map(({ id }) => toHex(id)));
    return new Set(deploys.filter(({ id }) => ids.has(toHex(id))).flatMap(({ log }) => log.flatMap(channelsOf)));
  });
  return touched.some((one, at) =>
    touched.slice(at + 1).some((other) => [...one].some((channel) => other.has(channel))),
  );
}

export function permutations<T>(list: readonly T[]): T[][] {
  if (list.length <= 1) return [list.slice()];
  return list.flatMap((one, at) => permutations(list.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}
