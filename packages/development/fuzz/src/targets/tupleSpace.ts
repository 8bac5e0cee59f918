import { blake2b256, toHex } from "@vedette/crypto";
import { decodeEvent, type Event, encodeEvent } from "@vedette/protocol";
import {
  BindPattern,
  EVar,
  f1r3nodeTerms,
  freeVar,
  ListParWithRandom,
  Par,
  rnodeTerms,
  SystemContinuation,
  type TermCodec,
  type Var,
  wildcard,
} from "@vedette/terms";
import {
  emptyRoot,
  f1r3nodeSpace,
  type MatchDatum,
  memoryStateStore,
  PlaySpace,
  ReplaySpace,
  rnodeSpace,
  type Space,
  type SpaceDialect,
  type SpaceMatch,
} from "@vedette/tuplespace";
import { int, matchBy, name } from "@vedette/tuplespace/testing";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must } from "../driver/Target.js";
import { ModelSpace, type PlainContinuation, type PlainDatum, type PlainForm } from "../model/ModelSpace.js";

export type Operation =
  | { readonly kind: "produce"; readonly datum: PlainDatum }
  | { readonly kind: "consume"; readonly waiting: PlainContinuation };

/** Channels and patterns are numbers here. */
export type PlannedOperation =
  | {
      readonly kind: "produce";
      readonly channel: number;
      readonly value: number;
      readonly seed: number;
      readonly persist: boolean;
    }
  | {
      readonly kind: "consume";
      readonly id: number;
      readonly channels: readonly number[];
      readonly wanted: readonly number[];
      readonly persist: boolean;
      readonly isPeek: boolean;
    };

const channelCount = 4;
const anyChannel = fc.nat({ max: channelCount - 1 });

const anyOperation: fc.Arbitrary<PlannedOperation> = fc.oneof(
  fc.record({
    kind: fc.constant("produce" as const),
    channel: anyChannel,
    value: fc.nat({ max: 2 }),
    seed: fc.nat({ max: 2 }),
    persist: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant("consume" as const),
    id: fc.nat({ max: 3 }),
    channels: fc.uniqueArray(anyChannel, { minLength: 1, maxLength: 3 }).map((list) => list.sort()),
    wanted: fc.array(fc.nat({ max: 3 }), { minLength: 3, maxLength: 3 }),
    persist: fc.boolean(),
    isPeek: fc.boolean(),
  }),
);

export function anyOperations(maxLength: number): fc.Arbitrary<PlannedOperation[]> {
  return fc.array(anyOperation, { maxLength });
}

function open(variable: Var): Par {
  return Par.of({ exprs: [new EVar(variable)], connectiveUsed: true });
}

/** The terms of one scene: what a term remembers of itself is of one form. */
export class SceneTerms {
  /** In the order of their encodings, so that a join is the same list before and after a checkpoint (30 §1.10(1)). */
  readonly channels: readonly Par[] = [int(5), name(1), name(3), name(9, 9)];
  readonly #patterns = [
    new BindPattern([open(freeVar(0))], undefined, 1),
    new BindPattern([int(0)], undefined, 0),
    new BindPattern([int(1)], undefined, 0),
    new BindPattern([open(wildcard)], undefined, 0),
  ];
  readonly #encode: TermCodec["encodePar"];

  constructor({ terms }: SceneForm) {
    this.#encode = terms.encodePar;
  }

  all(planned: readonly PlannedOperation[]): Operation[] {
    return planned.map((one) => this.#operation(one));
  }

  apply(space: Space, operation: Operation): SpaceMatch | undefined {
    if (operation.kind === "produce") {
      const { channel, data, persist } = operation.datum;
      return space.produce(this.channels[channel]!, data, persist);
    }
    const { id, channels: list, patterns: wanted, persist, peeks } = operation.waiting;
    const names = list.map((index) => this.channels[index]!);
    return space.consume(names, wanted, new SystemContinuation(BigInt(id)), persist, peeks);
  }

  /** The numbers of the channels of a match. */
  readonly numbersOf = (match: SpaceMatch): readonly number[] =>
    match.channels.map((channel) =>
      this.channels.findIndex((one) => toHex(this.#encode(one)) === toHex(this.#encode(channel))),
    );

  #operation(planned: PlannedOperation): Operation {
    if (planned.kind === "produce") {
      const { channel, value, seed, persist } = planned;
      const data = new ListParWithRandom([int(value)], blake2b256(Uint8Array.of(seed)));
      return { kind: "produce", datum: { channel, data, persist } };
    }
    const { id, channels, wanted, persist, isPeek } = planned;
    const waiting = {
      // The id of one identity, with or without a peek (30 §1.10(3)); a program never has two such, as each has its own
      // random state.
      id: 2 * id + Number(isPeek),
      channels,
      patterns: channels.map((_, index) => this.#patterns[wanted[index]!]!),
      persist,
      peeks: isPeek ? channels.map((_, index) => index) : [],
    };
    return { kind: "consume", waiting };
  }
}

/** How a kind of nodes hashes and stores what lies in a space, and what it does with it. */
export interface SceneForm extends PlainForm {
  readonly name: string;
  readonly space: SpaceDialect;
  readonly terms: TermCodec;
}

const forms: readonly SceneForm[] = [
  { name: "reference", space: rnodeSpace, terms: rnodeTerms, storesTwice: true },
  { name: "f1r3node", space: f1r3nodeSpace, terms: f1r3nodeTerms, storesTwice: false },
];

export const anyForm: fc.Arbitrary<SceneForm> = fc.constantFrom(...forms);

/** A datum fits a pattern by the bytes of the form. */
export function matchIn({ terms }: SceneForm): MatchDatum {
  return (pattern, data) => matchBy(terms.encodePar, pattern, data);
}

/** Blocks of operations; after each the state is committed. Some operations of a block are taken back. */
const anyBlocks = fc.array(
  fc.record({
    operations: anyOperations(14),
    takenBack: anyOperations(6),
  }),
  { minLength: 1, maxLength: 3 },
);

export const tupleSpace = propertyTarget({
  name: "tuple-space",
  about: "a tuple space does only what two plain lists allow, its root is that of its content, its log replays",
  cost: "expensive",
  files: [
    "tuplespace/space/",
    "tuplespace/replay/",
    "tuplespace/event/",
    "tuplespace/leaf/",
    "tuplespace/history/",
    "!tuplespace/history/HistoryError.js",
    "tuplespace/rules/",
    "tuplespace/bincode/",
    "tuplespace/f1r3node/",
  ],
  values: fc.record({ blocks: anyBlocks, form: anyForm }),
  showValue: ({ blocks, form }) => `${form.name}: ${fc.stringify(blocks)}`,
  check: ({ blocks, form }) => new Scene(form).check(blocks),
});

class Scene {
  readonly #form: SceneForm;
  readonly #terms: SceneTerms;

  constructor(form: SceneForm) {
    this.#form = form;
    this.#terms = new SceneTerms(form);
  }

  check(blocks: typeof anyBlocks extends fc.Arbitrary<infer T> ? T : never): void {
    const store = memoryStateStore(this.#form.space);
    const match = matchIn(this.#form);
    const play = new PlaySpace(store, match, emptyRoot);
    const replay = new ReplaySpace(store, match, emptyRoot);
    const plain = new ModelSpace(match, this.#form);
    for (const block of blocks) {
      const [operations, takenBack] = [this.#terms.all(block.operations), this.#terms.all(block.takenBack)];
      const middle = operations.length >> 1;
      this.#run(play, plain, operations.slice(0, middle));
      const first = play.softCheckpoint();
      this.#run(play, plain.copy(), takenBack);
      play.revert(first);
      this.#run(play, plain, operations.slice(middle));
      this.#checkContent(play, plain);
      const { root, log } = play.checkpoint();
      this.#checkContent(play, plain);
      must(toHex(this.#rootOf(plain)) === toHex(root), "the root is that of the content, however it came about");
      replay.rig(throughTheWire(log));
      for (const operation of operations) this.#terms.apply(replay, operation);
      must(replay.checkReplayData() === undefined, "a replay uses all of its log");
      must(toHex(replay.checkpoint().root) === toHex(root), "a replay gives the same root");
    }
  }

  #run(space: Space, plain: ModelSpace, operations: readonly Operation[]): void {
    const { numbersOf } = this.#terms;
    for (const operation of operations) {
      const found = this.#terms.apply(space, operation);
      if (operation.kind === "produce") plain.produced(operation.datum, found, numbersOf);
      else plain.consumed(operation.waiting, found);
    }
  }

  #checkContent(space: Space, plain: ModelSpace): void {
    const { channels } = this.#terms;
    for (const [index, channel] of channels.entries()) {
      const stored = space.data(channel).length;
      const expected = plain.data.filter((datum) => datum.channel === index).length;
      must(stored === expected, () => `channel ${index} holds ${stored} data, not ${expected}`);
    }
    const groups = new Set(plain.continuations.map((one) => one.channels.join()));
    for (const group of groups) {
      const names = group.split(",").map((index) => channels[Number(index)]!);
      const stored = space.continuations(names).length;
      const expected = plain.continuations.filter((one) => one.channels.join() === group).length;
      must(stored === expected, () => `channels ${group} hold ${stored} continuations, not ${expected}`);
    }
  }

  /** Returns the root of a space with the same content by another way: everything is put in, and nothing meets. */
  #rootOf({ data, continuations }: ModelSpace): Uint8Array {
    const space = new PlaySpace(memoryStateStore(this.#form.space), matchIn(this.#form), emptyRoot);
    for (const waiting of continuations.toReversed())
      must(this.#terms.apply(space, { kind: "consume", waiting }) === undefined, "what waits meets nothing");
    for (const datum of data.toReversed())
      must(this.#terms.apply(space, { kind: "produce", datum }) === undefined, "what lies meets nothing");
    return space.checkpoint().root;
  }
}

function throughTheWire(log: readonly Event[]): Event[] {
  return log.map((event) => decodeEvent(encodeEvent(event)));
}
