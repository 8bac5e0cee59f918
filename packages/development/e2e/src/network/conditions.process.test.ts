import { freePort } from "@vedette/testing";
import { expect, test } from "vitest";
import { NetworkProcesses } from "./NetworkProcesses.js";
import { readinessOf, untilHeld, untilReady } from "./readiness.js";

/** Has a program take its machine's clock for one that is an hour behind. */
const anHourBehind = `data:text/javascript,${encodeURIComponent("const real = Date.now; Date.now = () => real() - 3_600_000;")}`;

test("a node that cannot join reports why: another network, no peer, or a wrong clock", async () => {
  const variables = (name: string): Record<string, string> =>
    name === "observer" ? { NODE_OPTIONS: `--import=${anHourBehind}` } : {};
  await using network = await NetworkProcesses.start({ validators: 1, wallets: 1, rhythmMs: 300 }, {}, variables);
  await network.finalizes(["validator1"], 2);
  await network.join("stranger", "observer", { more: { "protocol-server.network-id": "another" } });
  const unusedAddress = `rnode://${"00".repeat(20)}@127.0.0.1?protocol=${await freePort()}&discovery=${await freePort()}`;
  await network.join("lonely", "observer", { more: { "protocol-client.bootstrap": unusedAddress } });

  for (const [name, code, said] of [
    ["stranger", "otherNetwork", /'another'/],
    ["lonely", "noPeers", /127\.0\.0\.1/],
    // Blocks arrive some time after they were made.
    ["observer", "clockBehind", /(59|60) min later than this machine's clock/],
  ] as const) {
    const { syncStatus } = await untilHeld(network, name, code, said);
    expect(syncStatus.lastError, name).toBe(syncStatus.conditions[0]!.reason);
    // Its facts may be more by now than when it was logged.
    expect(network.log(name, 10_000)).toMatch(new RegExp(`${code}: \\w.*\\. [A-Z]`));
  }
  await untilReady(network, "validator1");
});

test("a joiner is not ready before it has what its network had when it came", async () => {
  await using network = await NetworkProcesses.start({ validators: 1, wallets: 1, rhythmMs: 200 });
  await network.finalizes(["validator1"], 8);
  // From here on it makes none: how fast the joiner is makes no difference.
  network.configure("validator1", { "casper.heartbeat.enabled": false });
  await network.stop("validator1");
  network.restart("validator1");
  await network.until("the validator is back", async () => (await network.heights("validator1")) !== undefined);
  const { height } = (await network.heights("validator1"))!;
  await network.join("joiner", "observer");
  let first: number | null | undefined;
  while (first === undefined) {
    const look = await readinessOf(network, "joiner").catch(() => undefined);
    if (look?.httpStatus === 200) first = look.syncStatus.blockNumber;
    else if (look === undefined)
      await network.until("it answers", async () => (await readinessOf(network, "joiner")) !== undefined);
  }
  // Three blocks behind is near enough to be ready.
  expect(first).toBeGreaterThanOrEqual(height - 3);
});
