import { mkdirSync } from "node:fs";
import { expect } from "vitest";
import { freePortRange } from "../../packages/development/testing/dist/freePort.js";
import { InstalledProgram, type Start } from "./InstalledProgram.js";

interface Status {
  readonly address: string;
  readonly syncStatus: { readonly phase: string; readonly blockNumber: number };
}

interface Explored {
  readonly expr: readonly unknown[];
}

/**
 * Uses a newly installed program as a user would, in an empty folder: starts a network (`network`), sends a request to
 * it, adds an observer (`run`) and ends both.
 *
 * @param vedette the command
 * @returns milliseconds until the network's observer had a block after genesis, and until the further one had it
 */
export async function tryNetwork(vedette: readonly string[], start: Start): Promise<number[]> {
  mkdirSync(start.cwd, { recursive: true });
  const basePort = await freePortRange(70);
  const [bootstrap, observer, further] = [basePort + 13, basePort + 53, basePort + 60];
  const shape = [
    "--json",
    "--dir",
    "network",
    "--validators",
    "1",
    "--block-interval",
    "1s",
    "--base-port",
    String(basePort),
  ];
  await using network = new InstalledProgram([...vedette, "network", ...shape], start);
  const has = (status: Status) => status.syncStatus.blockNumber >= 1;
  await network.answers<Status>(`http://127.0.0.1:${observer}/status`, has);
  const networkMs = performance.now() - network.startedMs;
  expect(await explored(observer)).toEqual([{ ExprInt: { data: 3 } }]);
  for (const page of ["docs/", "guide/", "guide/how-to/observer"])
    expect((await fetch(`http://127.0.0.1:${observer}/${page}`)).status, page).toBe(200);
  const { networkId } = network.messages.find(({ type }) => type === "network") as unknown as { networkId: string };
  const { address } = (await (await fetch(`http://127.0.0.1:${bootstrap}/status`)).json()) as Status;
  const kinds = ["protocol-port", "api-port-grpc-external", "api-port-grpc-internal", "api-port-http"];
  kinds.push("discovery-port", "api-port-admin-http");
  const ports = kinds.map((kind, index) => `--${kind}=${further + index}`);
  const joins = [`--bootstrap=${address}`, `--network-id=${networkId}`, "--data-dir=./data", "--disable-lfs"];
  const local = ["--host=127.0.0.1", "--api-host=127.0.0.1", "--allow-private-addresses", "--no-upnp"];
  await using node = new InstalledProgram([...vedette, "run", ...joins, ...local, ...ports], start);
  await node.answers<Status>(`http://127.0.0.1:${further + 3}/status`, has);
  const runMs = performance.now() - node.startedMs;
  expect(await explored(further + 3)).toEqual([{ ExprInt: { data: 3 } }]);
  await node.end("SIGTERM");
  expect(node.output).toContain("Stopped.");
  await network.end("SIGINT");
  expect(network.output).toContain("All nodes have stopped.");
  return [networkMs, runMs];
}

async function explored(port: number): Promise<readonly unknown[]> {
  const body = "new return in { return!(1 + 2) }";
  const response = await fetch(`http://127.0.0.1:${port}/explore-deploy`, { method: "POST", body });
  return ((await response.json()) as Explored).expr;
}
