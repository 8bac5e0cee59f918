import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HostEndedError, type QueryHost, type Question } from "./QueryHost.js";
import { IndexBusyError, QueryLane } from "./QueryLane.js";

const question = (query: string): Question => ({ method: "graphql", argument: { query } });

/** A host that loads and answers when the test lets it. */
class MadeHost implements QueryHost {
  readonly whenReady: Promise<void>;
  readonly asked = new Map<string, (answer: unknown) => void>();
  isEnded = false;
  load: () => void = () => {};
  #fail: () => void = () => {};
  readonly #whenEnded: Promise<never>;

  constructor() {
    this.#whenEnded = new Promise((_, reject) => {
      this.#fail = () => reject(new HostEndedError({ code: "ended" }));
    });
    this.#whenEnded.catch(() => {});
    this.whenReady = Promise.race([this.#whenEnded, new Promise<void>((resolve) => (this.load = resolve))]);
  }

  ask({ argument: { query } }: Question): Promise<unknown> {
    return Promise.race([this.#whenEnded, new Promise((resolve) => this.asked.set(query, resolve))]);
  }

  async end(): Promise<void> {
    this.isEnded = true;
    this.#fail();
  }
}

const hosts: MadeHost[] = [];
const start = () => {
  hosts.push(new MadeHost());
  return hosts.at(-1)!;
};
const bounds = { hosts: 1, questions: 2, pending: 3, graceMs: 50, idleMs: 1_000 };
const moment = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  hosts.length = 0;
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the time of a question begins when its host has loaded", async () => {
  const lane = new QueryLane(start, bounds);
  const answer = lane.ask(question("a"), 100);
  await vi.advanceTimersByTimeAsync(60_000);
  hosts[0]!.load();
  await vi.advanceTimersByTimeAsync(140);
  hosts[0]!.asked.get("a")!("rows");
  expect(await answer).toBe("rows");
});

test("a host that overruns is ended when another one has loaded, and its other queries run there", async () => {
  const lane = new QueryLane(start, bounds);
  const slow = lane.ask(question("slow"), 100);
  slow.catch(() => {});
  const other = lane.ask(question("other"), 100_000);
  hosts[0]!.load();
  await vi.advanceTimersByTimeAsync(150);
  await expect(slow).rejects.toThrow(/exceeded 0.1 s/);
  expect(hosts.map(({ isEnded }) => isEnded)).toEqual([false, false]);
  const later = lane.ask(question("later"), 100);
  await moment();
  expect(hosts[0]!.asked.has("later")).toBe(false);
  hosts[1]!.load();
  await moment();
  expect(hosts.map(({ isEnded }) => isEnded)).toEqual([true, false]);
  hosts[1]!.asked.get("other")!("of other");
  hosts[1]!.asked.get("later")!("of later");
  expect(await Promise.all([other, later])).toEqual(["of other", "of later"]);
});

test("a query that ends its host twice is not repeated, and its client learns to change it; others beside it are answered", async () => {
  const lane = new QueryLane(start, bounds);
  const deadly = lane.ask(question("deadly"), 100);
  deadly.catch(() => {});
  const other = lane.ask(question("other"), 100);
  for (const at of [0, 1, 2]) {
    hosts[at]!.load();
    await moment();
    if (hosts[at]!.asked.has("other") && at > 0) hosts[at]!.asked.get("other")!("of other");
    else await hosts[at]!.end();
    await moment();
  }
  await expect(deadly).rejects.toThrow(/ended both times.*change it/);
  expect(await other).toBe("of other");
  expect(hosts).toHaveLength(3);
});

test("no query is accused where its host cannot start", async () => {
  const lane = new QueryLane(start, bounds);
  const answer = lane.ask(question("a"), 100);
  answer.catch(() => {});
  for (const at of [0, 1]) {
    await hosts[at]!.end();
    await moment();
  }
  await expect(answer).rejects.toThrow(HostEndedError);
  expect(hosts).toHaveLength(2);
});

test("few queries are worked on at one time, few wait, and hosts end when they are idle", async () => {
  const lane = new QueryLane(start, bounds);
  const answers = ["a", "b", "c"].map((name) => lane.ask(question(name), 100));
  await expect(lane.ask(question("d"), 100)).rejects.toThrow(IndexBusyError);
  hosts[0]!.load();
  await moment();
  expect([...hosts[0]!.asked.keys()]).toEqual(["a", "b"]);
  hosts[0]!.asked.get("a")!(1);
  hosts[0]!.asked.get("b")!(2);
  await moment();
  hosts[0]!.asked.get("c")!(3);
  expect(await Promise.all(answers)).toEqual([1, 2, 3]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(hosts.map(({ isEnded }) => isEnded)).toEqual([true]);
});

test("a query gives its place up if its client has left before it began", async () => {
  const lane = new QueryLane(start, bounds);
  const client = new AbortController();
  const begun = ["a", "b"].map((name) => lane.ask(question(name), 100, client));
  const left = lane.ask(question("c"), 100, client);
  left.catch(() => {});
  hosts[0]!.load();
  await moment();
  client.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  const other = lane.ask(question("d"), 100);
  for (const name of ["a", "b"]) hosts[0]!.asked.get(name)!(name);
  await moment();
  expect([...hosts[0]!.asked.keys()]).toEqual(["a", "b", "d"]);
  hosts[0]!.asked.get("d")!("d");
  expect(await Promise.all([...begun, other])).toEqual(["a", "b", "d"]);
  await expect(lane.ask(question("e"), 100, client)).rejects.toThrow("gone");
});

test("clients have turns: one with a single query waits behind one query of each other client", async () => {
  const lane = new QueryLane(start, { ...bounds, questions: 1, pending: 10 });
  const answers = ["a", "b", "c"].map((name) => lane.ask(question(name), 100, { client: "busy" }));
  answers.push(lane.ask(question("other"), 100, { client: "other" }));
  hosts[0]!.load();
  const order: string[] = [];
  for (const _ of answers) {
    await moment();
    const name = [...hosts[0]!.asked.keys()].at(-1)!;
    order.push(name);
    hosts[0]!.asked.get(name)!(name);
  }
  expect(order).toEqual(["a", "b", "other", "c"]);
  await Promise.all(answers);
});

test("when as many wait as may, the client that has most loses its newest query to a client with fewer", async () => {
  const lane = new QueryLane(start, { ...bounds, questions: 1, pending: 4 });
  const ask = (name: string, client: string) => lane.ask(question(name), 100, { client }).catch(({ name }) => name);
  const busy = ["a", "b", "c", "d"].map((name) => ask(name, "busy"));
  expect(await ask("e", "busy")).toBe("IndexBusyError");
  const other = [ask("f", "other"), ask("g", "other")];
  expect(await busy[3]).toBe("IndexBusyError");
  expect(await busy[2]).toBe("IndexBusyError");
  // Each has half.
  expect(await ask("h", "other")).toBe("IndexBusyError");
  hosts[0]!.load();
  for (const name of ["a", "b", "f", "g"]) {
    await moment();
    hosts[0]!.asked.get(name)!(name);
  }
  expect(await Promise.all([busy[0], busy[1], ...other])).toEqual(["a", "b", "f", "g"]);
});
