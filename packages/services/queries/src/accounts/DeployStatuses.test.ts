import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { AccountQueries, DeployHistory } from "./AccountQueries.js";
import { DeployStatuses } from "./DeployStatuses.js";

/** Records each look-up of a deploy. */
function statusesThatNote(looked: string[]): DeployStatuses {
  const deploy = (signature: Uint8Array) => {
    looked.push(`${signature}`);
    return signature[0] === 9 ? undefined : ({ status: "included" } as unknown as DeployHistory);
  };
  return new DeployStatuses({ forMany: () => ({ deploy }) as unknown as AccountQueries });
}

const signatures = (...bytes: readonly number[]) => bytes.map((byte) => Uint8Array.of(byte));

test("each deploy is looked up once, and answered as often as it was requested", async () => {
  const looked: string[] = [];
  const answers = await statusesThatNote(looked).find(signatures(1, 9, 1), { client: undefined });
  expect([answers, looked]).toEqual([
    ["included", undefined, "included"],
    ["1", "9"],
  ]);
});

test("a request for many deploys keeps other work waiting for one of them, and other clients for its turn", async () => {
  const looked: string[] = [];
  const statuses = statusesThatNote(looked);
  const many = Array.from({ length: 50 }, (_, at) => at + 100);
  const greedy = Array.from({ length: 3 }, () => statuses.find(signatures(...many), { client: "203.0.113.1" }));
  const other = statuses.find(signatures(1), { client: "203.0.113.2" });
  let seen = looked.length;
  let most = 0;
  let isDone = false;
  const done = Promise.all([...greedy, other]).then(() => (isDone = true));
  while (!isDone) {
    await turn();
    most = Math.max(most, looked.length - seen);
    seen = looked.length;
  }
  await done;
  expect(most).toBeLessThanOrEqual(2);
  expect(looked.indexOf("1")).toBe(50);
});

test("a limited number of an address may wait, and a limited number of all", async () => {
  const statuses = statusesThatNote([]);
  const ask = (client: string) => statuses.find(signatures(1, 2, 3), { client });
  const refusals = async (clients: readonly string[]) => {
    const settled = await Promise.allSettled(clients.map(ask));
    return settled.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
  };
  expect(await refusals(Array.from({ length: 10 }, () => "203.0.113.1"))).toEqual(
    Array.from({ length: 2 }, () => "Overload: Too many requests of your address are under way; wait for one of them."),
  );
  expect(await refusals(Array.from({ length: 70 }, (_, at) => `203.0.113.${at}`))).toEqual(
    Array.from({ length: 5 }, () => "Overload: Too many requests are waiting; try again later."),
  );
});

test("the deploys of a client that has left are not looked for", async () => {
  const looked: string[] = [];
  const controller = new AbortController();
  const asked = statusesThatNote(looked).find(signatures(1, 2, 3), { client: undefined, signal: controller.signal });
  await turn();
  controller.abort();
  await asked;
  expect(looked).toEqual(["1"]);
});
