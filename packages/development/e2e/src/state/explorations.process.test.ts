import { setMaxListeners } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ask, ask, endStateNode, entries, facts, last, type Problem, startStateNode } from "./askedStates.js";

beforeAll(startStateNode);
afterAll(endStateNode);

interface Outcome {
  readonly outcome: string;
  readonly results: readonly unknown[];
  readonly error: string | null;
  readonly cost: string | null;
  readonly root: string;
  readonly block: unknown;
  readonly prints: readonly unknown[];
  readonly arePrintsCut: boolean;
  readonly trace: {
    readonly steps: readonly { readonly kind: string; readonly phlo: string }[];
    readonly parsingPhlo: string;
    readonly otherPhlo: string;
    readonly isCut: boolean;
  } | null;
}

const endless = "new l in { contract l(@n) = { l!(n + 1) } | l!(0) }";

describe("explorations", () => {
  const explore = async (body: object, others: Ask = {}): Promise<Outcome> => {
    const { status, json } = await ask<Outcome>("/v2/explore", { body, ...others });
    expect([status, json]).toEqual([200, json]);
    return json;
  };

  test("return every value, what it cost, and where it ran", async () => {
    const term = 'new return in { return!(1 + 2) | return!("x", 7) | for (@x, @_ <<- @"greeting") { return!(x) } }';
    const { results, cost, ...rest } = await explore({ term, block: "latest", bytes: true });
    expect(rest).toEqual({
      block: { blockHash: last().hash, blockNumber: 2, state: "post" },
      root: last().root,
      outcome: "values",
      error: null,
      prints: [],
      arePrintsCut: false,
      trace: null,
    });
    expect(results.map((result) => (result as { rholang: string }).rholang).sort()).toEqual(
      ['"hello"', '"x"', "3", "7"].sort(),
    );
    expect(results).toContainEqual({ expr: { ExprInt: { data: 3 } }, rholang: "3", bytes: "2a021006" });
    expect(Number(cost)).toBeGreaterThan(100);
  });

  test("return what the program printed, and its steps on request", async () => {
    const term = 'new return, out(`rho:io:stdout`) in { out!("a") | for (@x <- @"b") { return!(x) } | @"b"!(5) }';
    const traced = await explore({ term, trace: true });
    expect(traced).toMatchObject({
      outcome: "values",
      prints: [{ stream: "stdout", text: '"a"' }],
      arePrintsCut: false,
    });
    const { steps, parsingPhlo, otherPhlo, isCut } = traced.trace!;
    expect(steps.filter(({ kind }) => kind === "comm")).toContainEqual(
      expect.objectContaining({ channels: ['"b"'], data: [["5"]], receiver: { kind: "program", line: 1, column: 51 } }),
    );
    const phlo = [parsingPhlo, otherPhlo, ...steps.map((step) => step.phlo)];
    expect([isCut, String(phlo.reduce((sum, one) => sum + Number(one), 0))]).toEqual([false, traced.cost]);
    const failed = await explore({
      term: 'new x, out(`rho:io:stdout`) in { out!("so far") | x!(1 + "a") }',
      trace: true,
    });
    expect(failed).toMatchObject({ outcome: "failed", trace: { unfinished: [{ line: 1 }] } });
    const talks = "new l, out(`rho:io:stdout`) in { contract l(_) = { out!(1) | l!(1) } | l!(1) }";
    let stopped: Outcome | undefined;
    // It never ends, and is given as much time as it needs to print more than is kept.
    for (const timeoutMs of [300, 3_000, 20_000])
      if (stopped?.arePrintsCut !== true)
        stopped = await explore({ term: talks, trace: true, timeoutMs, phloLimit: 1_000_000_000 });
    expect(stopped).toMatchObject({ outcome: "stopped", trace: null, arePrintsCut: true });
    expect(stopped!.prints).toHaveLength(64);
  });

  test("run on the state before a block, and on old ones", async () => {
    const term = 'new return in { for (@x, @_ <<- @"greeting") { return!(x) } }';
    expect((await explore({ term, block: last().hash })).results).toHaveLength(1);
    expect((await explore({ term, block: last().hash, state: "pre" })).results).toEqual([]);
    expect((await explore({ term, block: facts.blocks[1]!.hash })).results).toEqual([]);
    expect((await explore({ term })).root).toBe(facts.blocks[1]!.root);
  });

  test("end with the program's error, its phlo, its time or its memory, and leave no trace", async () => {
    const grows = `new l in { contract l(@x, @n) = { match n { 0 => Nil _ => l!(x ++ x, n - 1) } } | l!("0123456789abcdef0123456789abcdef", 40) }`;
    const phloLimit = 1_000_000_000;
    const error = await explore({ term: 'new return in { return!(1 + "a") }' });
    expect(error).toMatchObject({ outcome: "failed", error: expect.stringMatching(/Operator/), results: [] });
    expect(Number(error.cost)).toBeGreaterThan(0);
    const phlo = await explore({ term: endless, phloLimit: 10_000 });
    expect(phlo).toMatchObject({ outcome: "failed", error: expect.stringMatching(/ran out of phlo/), cost: "10000" });
    const none = await explore({ term: "Nil", phloLimit: 0 });
    expect(none).toMatchObject({ outcome: "failed" });
    const time = await explore({ term: endless, phloLimit, timeoutMs: 200 });
    expect(time).toMatchObject({ outcome: "stopped", error: expect.stringMatching(/time was used up/), cost: null });
    const memory = await explore({ term: grows, phloLimit, timeoutMs: 20_000, memoryMb: 8 });
    expect(memory).toMatchObject({ outcome: "stopped", error: expect.stringMatching(/memory was used up/) });
    const syntax = await explore({ term: "new x in {" });
    expect(syntax).toMatchObject({ outcome: "failed", error: expect.stringMatching(/SyntaxError/) });
  });

  test("of a client that has gone end, and keep the next ones from nothing", async () => {
    const gone = new AbortController();
    // Together they would take longer than the next one waits.
    const lost = Array.from({ length: 4 }, () => {
      return explore({ term: endless, phloLimit: 1_000_000_000, timeoutMs: 20_000 }, { signal: gone.signal });
    });
    const next = explore({ term: "new return in { return!(1) }", timeoutMs: 20_000 });
    setTimeout(() => gone.abort(), 100);
    for (const outcome of await Promise.allSettled(lost))
      expect(outcome).toMatchObject({ status: "rejected", reason: { message: expect.stringMatching(/abort/) } });
    expect((await next).outcome).toBe("values");
  });

  test("of one client wait for its own, not for those of another", async () => {
    const leave = new AbortController();
    setMaxListeners(0, leave.signal);
    const greedy = Array.from({ length: 20 }, () =>
      ask("/v2/explore", {
        body: { term: endless, phloLimit: 1_000_000_000, timeoutMs: 20_000 },
        signal: leave.signal,
      }).catch(() => undefined),
    );
    let finished = 0;
    for (const one of greedy) void one.then(() => (finished += 1));
    const other = await explore({ term: "new return in { return!(1) }" }, { from: "127.0.0.2" });
    expect(other.outcome).toBe("values");
    // Those that ran before the other came, and one that was running then.
    expect(finished).toBeLessThan(4);
    // Other questions do not wait for programs at all.
    expect((await entries("latest/data", { query: { name: '"greeting"' } })).count).toBe(2);
    leave.abort();
    await Promise.all(greedy);
  });

  test("beyond a client's share are refused for now", async () => {
    const leave = new AbortController();
    setMaxListeners(0, leave.signal);
    const body = { term: endless, phloLimit: 1_000_000_000 };
    const many = Array.from({ length: 130 }, () =>
      ask<Problem>("/v2/explore", { body, signal: leave.signal, from: "127.0.0.3" }),
    );
    const settled = Promise.allSettled(many);
    const refused = await Promise.any(
      many.map(async (one) => {
        const answer = await one;
        expect([answer.status, answer.headers["retry-after"]]).toEqual([429, "1"]);
        return answer.json.detail;
      }),
    );
    expect(refused).toMatch(/128 questions of your address/);
    expect((await explore({ term: "Nil" }, { from: "127.0.0.4" })).outcome).toBe("values");
    leave.abort();
    await settled;
    expect((await explore({ term: "Nil" }, { from: "127.0.0.3" })).outcome).toBe("values");
  });

  const refusals: readonly (readonly [object, number, string, RegExp])[] = [
    [{}, 400, "body.term", /is missing/],
    [{ term: 1 }, 400, "body.term", /must be a text/],
    [{ term: "Nil", block: "abc" }, 400, "body.block", /at least 6 hexadecimal digits/],
    [{ term: "Nil", block: "ab".repeat(32) }, 404, "body.block", /has no block/],
    [{ term: "Nil", state: "mid" }, 400, "body.state", /post/],
    [{ term: "Nil", phloLimit: -1 }, 400, "body.phloLimit", /at least 0/],
    [{ term: "Nil", phloLimit: "1000000001" }, 400, "body.phloLimit", /at most/],
    [{ term: "Nil", timeoutMs: 0 }, 400, "body.timeoutMs", /at least 1/],
    [{ term: "Nil", timeoutMs: 20_001 }, 400, "body.timeoutMs", /at most/],
    [{ term: "Nil", memoryMb: 1.5 }, 400, "body.memoryMb", /integer/],
    [{ term: "Nil", memory: 1 }, 400, "body.memory", /not known/],
  ];

  test.each(refusals)("refuse %j", async (body, status, field, words) => {
    const answer = await ask<Problem>("/v2/explore", { body });
    expect([answer.status, answer.json.field]).toEqual([status, field]);
    expect(answer.json.detail).toMatch(words);
  });

  test("on the state of a block that a snapshot did not bring are refused", async () => {
    const { status, json } = await ask<Problem>("/v2/explore", { body: { term: "Nil", block: facts.blocks[0]!.hash } });
    expect([status, json.field]).toEqual([404, "body.block"]);
    expect(json.detail).toMatch(/oldest state here is that of block 1/);
  });
});
