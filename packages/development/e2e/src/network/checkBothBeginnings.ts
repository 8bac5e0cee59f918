import { readFileSync } from "node:fs";
import { join } from "node:path";
import { balanceTerm } from "@vedette/client";
import { chainDirectory } from "@vedette/testing";
import { expect } from "vitest";
import { type ObserverStartMode, RecordedNetwork, untilSynced } from "./recordedNetwork.js";

/** Two processes over TLS: what the observer answers equals what the server answers. */
export async function checkBothBeginnings(chain: string): Promise<void> {
  const { wallets } = JSON.parse(readFileSync(join(chainDirectory(chain), "network.json"), "utf8"));
  const term = balanceTerm(wallets[0].address, "rnode");
  await using network = new RecordedNetwork(chain);
  const server = await network.serve();
  const balance = await server.post("/explore-deploy", term);
  expect(balance).toMatch(/^\{"expr":\[\{"ExprInt":\{"data":\d+\}\}\],"block":\{/);
  for (const beginning of ["replayAll", "importState"] as const satisfies readonly ObserverStartMode[]) {
    const observer = await network.observer(beginning, beginning);
    await untilSynced(observer, server);
    expect(await observer.get("/blocks/50")).toBe(await server.get("/blocks/50"));
    expect(await observer.get("/last-finalized-block")).toBe(await server.get("/last-finalized-block"));
    expect(await observer.post("/explore-deploy", term)).toBe(balance);
    expect(await observer.stop()).toBe(143);
  }
}
