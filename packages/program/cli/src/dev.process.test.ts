import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { usualCases } from "@vedette/testing";
import { afterAll, describe, expect, test } from "vitest";
import { DevProcess } from "./testing/DevProcess.js";
import { program } from "./testing/NodeProcess.js";

const cache = mkdtempSync(join(tmpdir(), "vedette-dev-test-"));
const environment = { XDG_CACHE_HOME: cache, VEDETTE_CONTEXTS: join(cache, "contexts.json") };
afterAll(() => rmSync(cache, { recursive: true, force: true }));

const run = (...args: string[]) =>
  spawnSync(program, args, { encoding: "utf8", env: { ...process.env, ...environment } });

/** @returns the status of the answer to a request that gives the server another name */
async function statusUnder(host: string, port: number, path: string, method: string): Promise<number> {
  const headers = { host, "content-type": "application/json" };
  const sent = request({ host: "127.0.0.1", port, path, method, headers }).end(method === "POST" ? "{}" : undefined);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  return answer.statusCode!;
}

describe("a chain for development", () => {
  test("gives its keys to pages of its explorer where that was requested", async () => {
    await using chain = await DevProcess.start(["--serve-keys"], environment);
    expect((await chain.ask("/dev")).json["accounts"]).toEqual(chain.ready.accounts);
    // A debugger would be a door to all of them; once the chain answers again, it has been opened or not.
    process.kill(chain.pid, "SIGUSR1");
    await chain.ask("/dev/mine", {});
    expect(await chain.stop()).toBe(143);
    expect(chain.errors).not.toContain("Debugger");
  });

  test.each(usualCases(["rnode", "f1r3node"]))(
    "of %s gives coins, goes back to a snapshot, takes deploys of any key, and goes on after a restart",
    async (dialect) => {
      const folder = join(cache, dialect);
      const settings = ["--data-dir", folder, "--seed", "a test", "--dialect", dialect];
      const first = await DevProcess.start(settings, environment);
      const [, account] = first.ready.accounts;
      expect(first.ready).toMatchObject({ blockNumber: 0 });
      expect(first.ready.accounts).toHaveLength(10);

      const gift = await first.ask("/dev/faucet", { address: account!.address, amount: 5 });
      expect(gift.json).toMatchObject({ blockNumber: 1, errored: false, systemDeployError: "" });
      const balance = async (chain: DevProcess) => {
        const headers = { "content-type": "application/json" };
        const body = JSON.stringify({ addresses: [account!.address] });
        const url = `http://127.0.0.1:${chain.ready.ports.http}/v2/balances`;
        return (await fetch(url, { method: "POST", headers, body })).text();
      };
      expect(await balance(first)).toContain("100000000000005");
      expect(await first.get("/last-finalized-block")).toMatchObject({ blockInfo: { blockNumber: 1 } });

      expect((await first.ask("/dev/snapshot", {})).json).toEqual({ id: 1, snapshots: [1] });
      await first.ask("/dev/faucet", { address: account!.address, amount: 5 });
      expect((await first.ask("/dev/mine", { toHeight: 5 })).json).toMatchObject({ blockNumber: 5 });
      const reverted = await first.ask("/dev/revert", { id: 1 });
      expect(reverted.json).toEqual({ blockHash: gift.json["blockHash"], blockNumber: 1 });
      expect(await balance(first)).toContain("100000000000005");

      const term = "new id(`rho:rchain:deployerId`) in { @0!(*id) }";
      const unsigned = await first.ask("/dev/deploy", { term, deployer: account!.publicKey });
      expect(unsigned.json).toMatchObject({ blockNumber: 2, errored: false, systemDeployError: "" });

      // Commands that compile a name or a term themselves.
      const port = String(first.ready.ports.grpcExternal);
      const found = run("data-at-name", "--name", "0", "--depth", "3", "--port", port);
      expect([found.stderr, found.status, found.stdout]).toEqual(["", 0, expect.stringMatching(/^#2\n/)]);
      const call = run("call", "rho:registry:lookup", "@", "--port", port);
      expect([call.status, call.stderr]).toEqual([1, expect.stringContaining("Argument 1 must be a Rholang term")]);

      const { json: before } = await first.ask("/dev");
      expect((await first.ask("/dev/time", { addMs: 86_400_000 })).json).toMatchObject({ aheadMs: 86_400_000 });
      const { json: later } = await first.ask("/dev/mine", {});
      expect(await first.stop()).toBe(143);

      await using second = await DevProcess.start(settings, environment);
      expect(second.ready).toMatchObject({ blockNumber: 3, blockHash: later["blockHash"] });
      const { json: after } = await second.ask("/dev");
      expect(after["accounts"]).toEqual(before["accounts"]);
      expect(Number(after["timeMs"])).toBeGreaterThan(Number(before["timeMs"]) + 86_000_000);
      const other = run("dev", "--port=0", "--data-dir", folder, "--seed", "another", "--dialect", dialect);
      expect([other.status, other.stderr]).toEqual([1, expect.stringContaining("holds a chain with other settings")]);
      const { http } = second.ready.ports;
      const busy = run("dev", `--port=${http - 3}`);
      expect([busy.status, busy.stderr]).toEqual([1, expect.stringContaining(`http (${http})`)]);
    },
  );

  test("refuses what the rules of a chain do not permit, and reports why", async () => {
    await using chain = await DevProcess.start(["--seed", "a test"], environment);
    const detail = async (path: string, body: object) => {
      const { status, json } = await chain.ask(path, body);
      return `${status} ${String(json["detail"])}`;
    };
    const address = chain.ready.accounts[0]!.address;
    await chain.ask("/dev/mine", { blocks: 2 });
    expect(await detail("/dev/mine", { toHeight: 1 })).toContain("heights only grow");
    expect(await detail("/dev/mine", { toHeight: 5_000 })).toContain("1000 at most");
    expect(await detail("/dev/time", { setMs: 1_000 })).toContain("time only goes on");
    expect(await detail("/dev/time", {})).toContain("setMs or addMs");
    expect(await detail("/dev/revert", { id: 3 })).toContain("There is no snapshot 3");
    expect(await detail("/dev/faucet", { address: "1111xx" })).toContain("Invalid address length");
    expect(await detail("/dev/faucet", { address, amount: 0 })).toContain("body.amount");
    const key = chain.ready.accounts[0]!.privateKey;
    const deploy = { term: "Nil", deployer: ` 0x${key} ` };
    expect(await detail("/dev/deploy", deploy)).toContain("as long as a private key");
    expect(await detail("/dev/deploy", deploy)).not.toContain(key);
    expect(await detail("/dev/deploy", { ...deploy, deployer: "04ab" })).toContain("4 characters");
    const deployer = chain.ready.accounts[0]!.publicKey;
    expect(await detail("/dev/deploy", { deployer, term: "new x in {" })).toContain("Parsing error");
    for (let round = 0; round < 4; round += 1) {
      const noBlock = await detail("/dev/deploy", { deployer, term: "@0!(1 / 0)" });
      expect(noBlock).toMatch(/^400 No block can hold the deploy: .*zero/);
    }
    // Its account is not locked out for it.
    expect((await chain.ask("/dev/deploy", { deployer, term: "Nil" })).json).toMatchObject({ errored: false });
    // Every process of this machine can read these routes, while keys are for the user at the terminal.
    const text = JSON.stringify((await chain.ask("/dev")).json);
    expect(chain.ready.accounts.filter(({ privateKey }) => text.includes(privateKey))).toEqual([]);
    expect(text).toContain(chain.ready.accounts[9]!.publicKey);
    const publicPort = await fetch(`http://127.0.0.1:${chain.ready.ports.http}/dev`);
    expect(publicPort.status).toBe(404);
    const { adminHttp } = chain.ready.ports;
    const headers = { origin: "https://a.page.example", "sec-fetch-site": "cross-site" };
    expect((await fetch(`http://127.0.0.1:${adminHttp}/dev`, { headers })).status).toBe(403);
    // A page with a host name that resolves to this machine: the browser sends that name, and the port refuses it.
    const taken = (path: string, method = "GET") => statusUnder(`a.example:${adminHttp}`, adminHttp, path, method);
    expect(await Promise.all([taken("/dev"), taken("/dev/mine", "POST"), taken("/v2/sql", "POST")])).toEqual([
      403, 403, 403,
    ]);
    const noJson = { method: "POST", body: "{}", headers: { "content-type": "text/plain" } };
    for (const path of ["/dev/mine", "/api/propose", "/v2/sql"])
      expect([path, (await fetch(`http://127.0.0.1:${adminHttp}${path}`, noJson)).status]).toEqual([path, 415]);
    const sql = {
      method: "POST",
      body: `{"query":"select 1 as one"}`,
      headers: { "content-type": "application/json" },
    };
    expect((await fetch(`http://127.0.0.1:${adminHttp}/v2/sql`, sql)).status).toBe(200);
    // The chain is the context, as it is the one that runs.
    const faucet = run("faucet", address, "--amount=2ASI");
    expect([faucet.status, faucet.stdout]).toEqual([0, expect.stringContaining("200000000 (2 ASI)")]);
    const noFaucet = run("faucet", address, `--admin-port=${chain.ready.ports.http}`);
    expect([noFaucet.status, noFaucet.stderr]).toEqual([1, expect.stringContaining("is no `vedette dev` chain")]);
  });
});
