import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findHits } from "./findHits.js";

const hash = "ab".repeat(32);
/** The answers of the node, by the beginning of a path. */
let answers: Readonly<Record<string, () => Response>>;

beforeEach(() => {
  const settings = () => Response.json({ hasIndex: true });
  vi.stubGlobal("fetch", async (asked: string | URL | Request) => {
    const { pathname } = new URL(asked instanceof Request ? asked.url : asked, "http://localhost");
    const [, answer] = Object.entries({ ...answers, "/explorer/settings": settings }).find(([path]) =>
      pathname.startsWith(path),
    ) ?? [undefined, undefined];
    if (answer === undefined) return new Response("not found", { status: 404 });
    return answer();
  });
});
afterEach(() => vi.unstubAllGlobals());

const noBlocks = () => Response.json({ blocks: [] });
const noDeploys = () => Response.json({ data: { deployments: [], search_deployments: [] } });
const busy = () => new Response("too busy", { status: 503 });

test("a text that names nothing on the node has no hits", async () => {
  answers = { "/graphql": noDeploys, "/v2/block-statuses": noBlocks };
  expect(await findHits(hash)).toEqual([]);
});

test("where a part of the node does not answer, nothing found is no answer", async () => {
  answers = { "/graphql": busy, "/v2/block-statuses": noBlocks };
  await expect(findHits(hash)).rejects.toThrow("does not answer (503)");
  await expect(findHits("lighthouse")).rejects.toThrow("does not answer (503)");
});

test("what is found counts, whatever else does not answer", async () => {
  answers = { "/graphql": busy, "/v2/block-statuses": noBlocks };
  expect((await findHits("rho:rchain:pos")).map(({ kind }) => kind)).toEqual(["Contract"]);
  expect((await findHits(`rho:id:${"a".repeat(54)}`)).map(({ kind }) => kind)).toEqual(["Contract"]);
});
