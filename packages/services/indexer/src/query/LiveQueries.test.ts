import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { GraphqlRequest } from "../graphql/GraphqlEngine.js";
import type { GraphqlReply } from "./IndexQueries.js";
import { type LiveListener, LiveQueries } from "./LiveQueries.js";
import type { Asker } from "./QueryLane.js";

/** A question that the test answers. */
interface Asked {
  readonly query: string;
  readonly signal: AbortSignal | undefined;
  readonly answer: (json: string) => void;
}

const asked: Asked[] = [];
let changed: () => void = () => {};
const queries = {
  graphql: ({ query }: GraphqlRequest, { signal }: Asker = {}) =>
    new Promise<GraphqlReply>((resolve) => {
      const answer = (json: string) =>
        resolve({ bytes: Buffer.from(json), isRefused: false, operation: "subscription" });
      asked.push({ query, signal, answer });
    }),
  onChange: (listener: () => void) => {
    changed = listener;
    return () => {};
  },
};
const request: GraphqlRequest = { query: "subscription { blocks { block_number } }" };

/** A listener, and all answers that it got. */
function listening(): { readonly listener: LiveListener; readonly answers: string[] } {
  const answers: string[] = [];
  return { answers, listener: { next: (answer) => answers.push(Buffer.from(answer).toString()), refused: () => {} } };
}

/** Answers the newest question, and waits until all have the answer. */
async function answerNewest(json: string): Promise<void> {
  asked.at(-1)!.answer(json);
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => {
  asked.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("many subscribers to one query at a time are one request", async () => {
  const live = new LiveQueries(queries);
  const all = Array.from({ length: 20 }, listening);
  for (const { listener } of all) live.add(request, listener);
  expect(asked).toHaveLength(1);
  await answerNewest("1");
  expect(all.map(({ answers }) => answers)).toEqual(all.map(() => ["1"]));
});

test("a change that the question of a new subscriber finds reaches the others, too", async () => {
  const live = new LiveQueries(queries);
  const [one, two] = [listening(), listening()];
  live.add(request, one.listener);
  await answerNewest("1");
  changed();
  live.add(request, two.listener);
  await answerNewest("2");
  expect([one.answers, two.answers]).toEqual([["1", "2"], ["2"]]);
  await vi.advanceTimersByTimeAsync(500);
  await answerNewest("2");
  expect([one.answers, two.answers]).toEqual([["1", "2"], ["2"]]);
});

test("a question is given up when its last subscriber has left", async () => {
  const live = new LiveQueries(queries);
  const leave = [listening(), listening()].map(({ listener }) => live.add(request, listener)!);
  leave[0]!();
  expect(asked[0]!.signal?.aborted).toBe(false);
  leave[1]!();
  expect(asked[0]!.signal?.aborted).toBe(true);
  const again = listening();
  live.add(request, again.listener);
  expect(asked).toHaveLength(2);
  await answerNewest("1");
  expect(again.answers).toEqual(["1"]);
});

test("when there are as many as may be, the client with most queries loses its oldest one to a client with fewer", () => {
  const live = new LiveQueries(queries, 500, 4);
  const lost: string[] = [];
  const add = (client: string, name: string) =>
    live.add({ query: name }, { client, next: () => {}, refused: () => lost.push(client + name) });
  for (const name of ["1", "2", "3", "4"]) add("busy", name);
  expect([add("busy", "5"), lost]).toEqual([undefined, []]);
  // It also stays for the client that follows it.
  expect([add("guest", "1") === undefined, add("other", "6") === undefined, lost]).toEqual([
    ...[false, false],
    ["busy1", "busy2"],
  ]);
  expect([add("other", "7"), lost.length]).toEqual([undefined, 2]);
});
