import { afterEach, expect, test, vi } from "vitest";
import { activeSpans, readActiveAccounts, startsOf } from "./readActiveAccounts.js";

afterEach(() => vi.unstubAllGlobals());

test("the last spans begin where the clock says, the running one last", () => {
  const starts = startsOf(3_600_000, 100 * 3_600_000 + 5);
  expect(starts).toHaveLength(activeSpans);
  expect(starts.at(-1)).toBe(100 * 3_600_000);
  expect(starts[0]).toBe((100 - activeSpans + 1) * 3_600_000);
});

test("one query counts the accounts of every span", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (path: string, request?: { readonly body: string }) => {
    if (path.startsWith("/explorer/settings")) return Response.json({ hasIndex: true });
    asked.push((JSON.parse(request!.body) as { query: string }).query);
    return Response.json({ data: { s0: { aggregate: { count: 4 } }, s19: { aggregate: { count: 2 } } } });
  });
  const [times, counts] = await readActiveAccounts(86_400_000, new AbortController().signal);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain("count(columns: [deployer], distinct: true)");
  expect([times.length, counts?.[0], counts?.[1], counts?.[19]]).toEqual([activeSpans, 4, 0, 2]);
});
