import type { StreamEvent } from "@vedette/client";
import { until } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ordering } from "../choices.js";
import type { Sink, SinkEvent } from "../Sink.js";
import { SinkError } from "../SinkError.js";
import { type EventSource, type ForwardEvent, Forwarder } from "./Forwarder.js";

const times = { firstRetry: 1, longestRetry: 2, note: 1, grace: 20 };

/** A node's events about a number of deploys, numbered in their order. */
function eventsOf(count: number, deploys: number): StreamEvent[] {
  return Array.from({ length: count }, (_, at) => {
    const deployId = `d${at % deploys}`;
    return { kind: "deployFinalized", cursor: `log-${at}`, deployId, deployer: "me" } as unknown as StreamEvent;
  });
}

/** Gives the events after a cursor, and then ends or waits for the signal. */
class ReportedEvents implements EventSource {
  cursor: string | undefined;

  constructor(
    readonly events: readonly StreamEvent[],
    readonly after: string,
    readonly until: AbortSignal | undefined,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamEvent> {
    this.cursor = this.after;
    const at = this.events.findIndex(({ cursor }) => cursor === this.after);
    for (const event of this.events.slice(at + 1)) {
      // As a connection brings them: while others are under way.
      await new Promise(setImmediate);
      this.cursor = event.cursor;
      yield event;
    }
    const { until } = this;
    if (until === undefined || until.aborted) return;
    await new Promise<void>((resolve) => until.addEventListener("abort", () => resolve(), { once: true }));
  }
}

class MemoryNote {
  cursor: string | undefined;
  read = () => this.cursor;
  write(cursor: string): void {
    this.cursor = cursor;
  }
}

/** Takes events, and fails as a test sets it to. */
class TestSink implements Sink {
  readonly label = "test sink";
  readonly taken: SinkEvent[] = [];
  readonly maxTotal: number;
  readonly maxConcurrent: number;
  atOnce = 0;
  maxSeen = 0;
  /** The outcome of a delivery: taken and acknowledged, taken and its answer lost, or not taken. */
  befalls: (events: readonly SinkEvent[]) => "taken" | "lost" | "refused" | "notTaken" | "waits" = () => "taken";

  constructor({ maxTotal = 3, maxConcurrent = 2 } = {}) {
    [this.maxTotal, this.maxConcurrent] = [maxTotal, maxConcurrent];
  }

  async open(): Promise<void> {}

  async deliver(events: readonly SinkEvent[], signal: AbortSignal): Promise<void> {
    this.atOnce += 1;
    this.maxSeen = Math.max(this.maxSeen, this.atOnce);
    try {
      await new Promise(setImmediate);
      const fate = this.befalls(events);
      if (fate === "waits") await new Promise((_, reject) => signal.addEventListener("abort", () => reject(failure())));
      if (fate === "taken" || fate === "lost") this.taken.push(...events);
      if (fate === "refused") throw new SinkError({ code: "refused", place: this.label, reason: "enough" });
      if (fate !== "taken") throw failure();
    } finally {
      this.atOnce -= 1;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

function failure(): SinkError {
  return new SinkError({ code: "notTaken", place: "test sink", reason: "it is away" });
}

function forwarderOf(
  { sink, note, events }: { readonly sink: Sink; readonly note: MemoryNote; readonly events: readonly StreamEvent[] },
  more: { readonly ordering?: Ordering; readonly isEndless?: boolean } = {},
) {
  const emitted: ForwardEvent[] = [];
  const forwarder = new Forwarder({
    ...{ sink, note, ordering: more.ordering ?? "deploy", beginning: "oldest", times },
    follow: (after, signal) => new ReportedEvents(events, after, more.isEndless ? signal : undefined),
    emit: (event) => emitted.push(event),
  });
  return { forwarder, emitted };
}

/** The first time that each was taken, by key. */
function firstTaken(taken: readonly SinkEvent[]): Map<string, string[]> {
  const byKey = new Map<string, string[]>();
  const known = new Set<string>();
  for (const { id, key } of taken) {
    if (known.has(id)) continue;
    known.add(id);
    byKey.set(key, [...(byKey.get(key) ?? []), id]);
  }
  return byKey;
}

test("every event is handed on, those of one deploy in their order, whatever fails and whenever it is ended", async () => {
  const fate = fc.constantFrom("taken", "taken", "taken", "lost", "notTaken");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fate, { maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 4 }),
      fc.integer({ min: 1, max: 6 }),
      async (fates, lives, deploys) => {
        const [note, events, taken] = [new MemoryNote(), eventsOf(60, deploys), [] as SinkEvent[]];
        for (const turns of [...lives, undefined]) {
          const sink = new TestSink();
          const life = new AbortController();
          let turn = 0;
          sink.befalls = () => {
            turn += 1;
            if (turn === turns) life.abort();
            return fates.pop() ?? "taken";
          };
          const { forwarder } = forwarderOf({ sink, note, events });
          await forwarder.run(life.signal);
          taken.push(...sink.taken);
          // All before the note have been taken.
          const upTo = events.findIndex(({ cursor }) => cursor === note.cursor);
          const known = new Set(taken.map(({ id }) => id));
          for (const { cursor } of events.slice(0, upTo + 1)) expect(known).toContain(cursor);
        }
        const wanted = firstTaken(
          events.map((event) => ({ id: event.cursor, key: (event as { deployId: string }).deployId }) as SinkEvent),
        );
        expect(firstTaken(taken)).toEqual(wanted);
        expect(note.cursor).toBe("log-59");
      },
    ),
    { numRuns: 60 },
  );
});

test("a limited number is under way, and one deploy that is not taken holds up no other as long as there is room", async () => {
  const [sink, note] = [new TestSink({ maxTotal: 1, maxConcurrent: 3 }), new MemoryNote()];
  sink.befalls = ([first]) => (first!.key === "d0" ? "notTaken" : "taken");
  const stop = new AbortController();
  const { forwarder, emitted } = forwarderOf({ sink, note, events: eventsOf(400, 4) }, { isEndless: true });
  const running = forwarder.run(stop.signal);
  // 256 may wait; a quarter of them is of the deploy that is not taken.
  await until(
    "all but a quarter to be taken and five failures",
    () => sink.taken.length >= 192 && emitted.filter(({ type }) => type === "failed").length >= 5,
  );
  expect(sink.taken).toHaveLength(192);
  stop.abort();
  await running;
  expect(sink.maxSeen).toBeLessThanOrEqual(3);
  expect(note.cursor).toBeUndefined();
  expect(emitted.find(({ type }) => type === "failed")).toMatchObject({ tries: 1 });
});

test("in a chain's order one event that is not taken holds up all", async () => {
  const [sink, note] = [new TestSink(), new MemoryNote()];
  let failures = 0;
  sink.befalls = (events) => {
    if (!events.some(({ id }) => id === "log-7") || failures === 5) return "taken";
    failures += 1;
    return "notTaken";
  };
  const { forwarder, emitted } = forwarderOf({ sink, note, events: eventsOf(20, 4) }, { ordering: "chain" });
  await forwarder.run(new AbortController().signal);
  expect(sink.taken.map(({ id }) => id)).toEqual(eventsOf(20, 4).map(({ cursor }) => cursor));
  expect(sink.maxSeen).toBe(1);
  expect(emitted.filter(({ type }) => type === "failed").map((event) => "tries" in event && event.tries)).toEqual([
    1, 2, 3, 4, 5,
  ]);
});

test("a sink that wants no more ends it, and what was taken is noted", async () => {
  const [sink, note] = [new TestSink({ maxTotal: 1 }), new MemoryNote()];
  sink.befalls = ([first]) => (first!.id === "log-5" ? "refused" : "taken");
  const { forwarder } = forwarderOf({ sink, note, events: eventsOf(20, 1) }, { isEndless: true });
  await expect(forwarder.run(new AbortController().signal)).rejects.toThrow("test sink refuses events: enough");
  expect(note.cursor).toBe("log-4");
});

test("a delivery without an end is given up a moment after the signal, and delivered again next time", async () => {
  const [sink, note] = [new TestSink({ maxTotal: 1 }), new MemoryNote()];
  const stop = new AbortController();
  sink.befalls = ([first]) => {
    if (first!.id !== "log-2") return "taken";
    stop.abort();
    return "waits";
  };
  const events = eventsOf(4, 1);
  await forwarderOf({ sink, note, events }, { isEndless: true }).forwarder.run(stop.signal);
  expect(note.cursor).toBe("log-1");
  const next = new TestSink();
  await forwarderOf({ sink: next, note, events }).forwarder.run(new AbortController().signal);
  expect(next.taken.map(({ id }) => id)).toEqual(["log-2", "log-3"]);
});

test("where no event is wanted, the note follows the node's cursor", async () => {
  const [sink, note] = [new TestSink(), new MemoryNote()];
  const stop = new AbortController();
  const source = new ReportedEvents([], "newest", stop.signal);
  const forwarder = new Forwarder({
    ...{ sink, note, ordering: "chain", beginning: "newest", times, emit: () => undefined, follow: () => source },
  });
  const running = forwarder.run(stop.signal);
  await new Promise(setImmediate);
  source.cursor = "log-77";
  await until("the note of the node's cursor", () => note.cursor === "log-77");
  stop.abort();
  await running;
});

test("the body of an event is the node's JSON", async () => {
  const [sink, note] = [new TestSink(), new MemoryNote()];
  await forwarderOf({ sink, note, events: eventsOf(1, 1) }).forwarder.run(new AbortController().signal);
  expect(sink.taken).toEqual([
    {
      ...{ id: "log-0", kind: "deployFinalized", key: "d0" },
      body: '{"kind":"deployFinalized","cursor":"log-0","deployId":"d0","deployer":"me"}',
    },
  ]);
});
