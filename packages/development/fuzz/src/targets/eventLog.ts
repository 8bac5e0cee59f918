import { blake2b256, toHex } from "@vedette/crypto";
import { CommEvent, ConsumeEvent, type Event, ProduceEvent } from "@vedette/protocol";
import { emptyRoot, HistoryError, memoryStateStore, PlaySpace, ReplaySpace, SpaceError } from "@vedette/tuplespace";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must, refusedAs } from "../driver/Target.js";
import { ModelSpace } from "../model/ModelSpace.js";
import { anyForm, anyOperations, matchIn, type Operation, SceneTerms } from "./tupleSpace.js";

/** The changes that the author of a block may make to its log. */
const anyForgery = fc.record({
  kind: fc.constantFrom("drop", "double", "swap", "persist", "hash", "repeated", "peeks", "produces"),
  at: fc.nat({ max: 20 }),
});

export const eventLog = propertyTarget({
  name: "event-log",
  about: "a replay with a forged log fails, or does only what the operations allow",
  cost: "expensive",
  files: ["tuplespace/replay/", "tuplespace/space/"],
  values: fc.record({
    before: anyOperations(8),
    operations: anyOperations(12),
    forgeries: fc.array(anyForgery, { maxLength: 3 }),
    form: anyForm,
  }),
  showValue: ({ form, ...others }) => `${form.name}: ${fc.stringify(others)}`,
  check: ({ forgeries, form, ...planned }) => {
    const store = memoryStateStore(form.space);
    const match = matchIn(form);
    const terms = new SceneTerms(form);
    const [before, operations] = [terms.all(planned.before), terms.all(planned.operations)];
    const play = new PlaySpace(store, match, emptyRoot);
    const plain = new ModelSpace(match, form);
    const follow = (operation: Operation, found: ReturnType<typeof terms.apply>) => {
      if (operation.kind === "produce") plain.followProduced(operation.datum, found, terms.numbersOf);
      else plain.followConsumed(operation.waiting, found);
    };
    for (const operation of before) follow(operation, terms.apply(play, operation));
    const start = play.checkpoint().root;
    for (const operation of operations) terms.apply(play, operation);
    const { root, log } = play.checkpoint();
    const forged = forgeries.reduce<readonly Event[]>((events, { kind, at }) => forge(events, kind, at), log);
    const replay = new ReplaySpace(store, match, start);
    replay.rig(forged);
    try {
      for (const operation of operations) follow(operation, terms.apply(replay, operation));
    } catch (error) {
      refusedAs(error, SpaceError, HistoryError);
      must(forgeries.length > 0, "an honest log is replayed");
      return;
    }
    const isComplete = replay.checkReplayData() === undefined;
    must(isComplete || forgeries.length > 0, "an honest log is used up");
    if (isComplete) {
      const replayed = replay.checkpoint().root;
      must(forgeries.length > 0 || toHex(replayed) === toHex(root), "an honest log leads to the same state");
    }
  },
});

function forge(events: readonly Event[], kind: string, at: number): readonly Event[] {
  if (events.length === 0) return events;
  const copy = events.slice();
  const place = at % copy.length;
  const event = copy[place]!;
  if (kind === "drop") copy.splice(place, 1);
  else if (kind === "double") copy.splice(place, 0, event);
  else if (kind === "swap") copy.reverse();
  else copy[place] = changed(event, kind, events);
  return copy;
}

function changed(event: Event, kind: string, events: readonly Event[]): Event {
  const hash = kind === "hash" ? blake2b256(Uint8Array.of(1)) : undefined;
  if (event.kind === "produce")
    return new ProduceEvent(event.channelsHash, hash ?? event.hash, !event.persistent, true, [], false);
  if (event.kind === "consume") return new ConsumeEvent(event.channelsHashes, hash ?? event.hash, !event.persistent);
  const { consume, produces, timesRepeated, peeks } = event;
  switch (kind) {
    case "repeated":
      return new CommEvent(
        consume,
        produces,
        timesRepeated.map((times) => times + 1),
        peeks,
      );
    case "peeks":
      return new CommEvent(consume, produces, timesRepeated, peeks.length > 0 ? [] : [0]);
    case "produces": {
      const others = events.flatMap((one) => (one.kind === "produce" ? [one] : []));
      const other = others[0];
      return other === undefined
        ? event
        : new CommEvent(
            consume,
            produces.map(() => other),
            timesRepeated,
            peeks,
          );
    }
    default:
      return new CommEvent(
        new ConsumeEvent(consume.channelsHashes, hash ?? consume.hash, !consume.persistent),
        produces,
        timesRepeated,
        peeks,
      );
  }
}
