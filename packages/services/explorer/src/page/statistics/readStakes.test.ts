import { afterEach, expect, test, vi } from "vitest";
import { readStakes } from "./readStakes.js";

afterEach(() => vi.unstubAllGlobals());

test("the stake of a span is that of its last final block, and unknown where the index has none", async () => {
  const asked: string[] = [];
  const bonded = (stake: string | null) => [{ validator_bonds_aggregate: { aggregate: { sum: { stake } } } }];
  vi.stubGlobal("fetch", async (path: string, request?: { readonly body: string }) => {
    if (path.startsWith("/explorer/settings")) return Response.json({ hasIndex: true });
    asked.push((JSON.parse(request!.body) as { query: string }).query);
    return Response.json({ data: { s0: bonded("9007199254740993"), s1: [], s2: bonded(null), s19: bonded("5") } });
  });
  const hour = 3_600_000;
  const spans = await readStakes(hour, 100 * hour + 7, new AbortController().signal);
  expect([asked.length, spans.length]).toEqual([3, 60]);
  expect(asked[2]).toContain(`{timestamp: {_gte: "${100 * hour}", _lt: "${101 * hour}"}, fate: {_eq: "finalized"}}`);
  expect(spans.map(({ start }) => start / hour)).toEqual(Array.from({ length: 60 }, (_, at) => 41 + at));
  expect(spans.slice(0, 3).map(({ stake }) => stake)).toEqual([9_007_199_254_740_993n, undefined, undefined]);
  expect(spans.at(-1)!.stake).toBe(5n);
});
