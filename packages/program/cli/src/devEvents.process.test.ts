import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocketClient } from "@vedette/server/testing";
import { afterAll, expect, test } from "vitest";
import { DevProcess } from "./testing/DevProcess.js";

const cache = mkdtempSync(join(tmpdir(), "vedette-dev-events-"));
const environment = { XDG_CACHE_HOME: cache, VEDETTE_CONTEXTS: join(cache, "contexts.json") };
afterAll(() => rmSync(cache, { recursive: true, force: true }));

test("a validator in dev mode sends what final blocks moved, on an f1r3node network", async () => {
  await using chain = await DevProcess.start(["--dialect", "f1r3node"], environment);
  await using client = await WebSocketClient.connect(chain.ready.ports.http, "/ws/events");
  const [, account] = chain.ready.accounts;
  await chain.ask("/dev/mine", {});
  const gift = await chain.ask("/dev/faucet", { address: account!.address, amount: 5 });
  const received = await client.until((messages) => messages.some(({ event }) => event === "transfers-available"));
  const moved = received.filter(({ event }) => event === "transfers-available");
  // The block before moved nothing.
  expect(moved).toMatchObject([
    {
      payload: {
        "block-hash": gift.json["blockHash"],
        deploys: [{ transfers: [{ "to-addr": account!.address, amount: 5, success: true }] }],
      },
    },
  ]);
});
