import { expect, test } from "vitest";
import type { DeployHistory } from "../accounts/AccountQueries.js";
import { Overload } from "../explore/Overload.js";
import { DeploySummaries, type SummarySources } from "./DeploySummaries.js";

/** A waiting deploy with a program that differs from others by a number. */
function waiting(number: number): DeployHistory {
  const deploy = { signature: Uint8Array.of(number), term: `new out in { out!(${number}) }` };
  return { status: "pending", reason: undefined, inclusions: [], deploy } as unknown as DeployHistory;
}

test("programs are read one at a time, and a client with many delays only itself", async () => {
  const summaries = new DeploySummaries({} as SummarySources);
  const many = Array.from({ length: 40 }, (_, number) => summaries.find(waiting(number), undefined, "192.0.2.1"));
  const other = summaries.find(waiting(99), undefined, "192.0.2.2");
  const ended = await Promise.allSettled(many);
  const refusals = ended.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  expect(refusals.length).toBe(32);
  for (const reason of refusals) expect(reason).toMatchObject({ isOfClient: true, constructor: Overload });
  expect((await other).summary).toEqual([{ type: "other", reason: "unrecognized" }]);
  // Programs that were read are cached.
  const again = many.slice(0, 8).map((_, number) => summaries.find(waiting(number), undefined, "192.0.2.1"));
  for (const { summary } of await Promise.all([...again, ...again])) expect(summary).toHaveLength(1);
});

test("a list reads only a limited number of new programs at once, and returns cached ones again", async () => {
  const summaries = new DeploySummaries({} as SummarySources);
  const long = (number: number) => {
    const deploy = { signature: Uint8Array.of(number), term: `@${number}!(${" ".repeat(15_000)})` };
    return { status: "pending", reason: undefined, inclusions: [], deploy } as unknown as DeployHistory;
  };
  const list = Array.from({ length: 6 }, (_, number) => long(number));
  const counts = async () => (await summaries.findBrief([...list, undefined])).map((facts) => facts?.length);
  expect(await counts()).toEqual([1, 1, 1, 1, undefined, undefined, undefined]);
  expect(await counts()).toEqual([1, 1, 1, 1, 1, 1, undefined]);
});
