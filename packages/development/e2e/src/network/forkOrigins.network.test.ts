import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DevProcess, program } from "@vedette/cli/testing";
import { freePort, usualCases } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialectNames } from "./NetworkProcesses.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-fork-test-"));
const environment = { XDG_CACHE_HOME: folder, VEDETTE_CONTEXTS: join(folder, "contexts.json") };
let origin: DevProcess;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const urlOf = (port: number) => `http://127.0.0.1:${port}`;
const originUrl = () => urlOf(origin.ready.ports.http);
const fails = (...args: string[]) => {
  const env = { ...process.env, ...environment };
  const { status, stderr } = spawnSync(program, ["dev", "--port=0", ...args], { encoding: "utf8", env });
  return `${status} ${stderr}`;
};

/** A proxy before a node; its answers for parts of a state go through `change`. */
async function proxy(change: (pieces: string) => string, port = 0): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", async () => {
      const { method = "GET", url = "/", headers } = request;
      const body = method === "GET" ? {} : { body: Buffer.concat(parts) };
      const asked = { method, ...body, headers: { "content-type": headers["content-type"] ?? "text/plain" } };
      const ask = () => fetch(`${originUrl()}${url}`, asked);
      // A connection that lay idle may be closed by the other side at the moment at which it is taken.
      const answer = await ask().catch(ask);
      const text = await answer.text();
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(url.includes("state-pieces") ? change(text) : text);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { server, url: urlOf((server.address() as AddressInfo).port) };
}

describe.each(usualCases(dialectNames))(
  "a chain for development that begins from another node's state: %s",
  (dialect) => {
    const of = ["--dialect", dialect];
    beforeAll(async () => {
      origin = await DevProcess.start(["--seed", "an origin", ...of], environment);
      await origin.ask("/dev/faucet", { address: origin.ready.accounts[0]!.address });
    });
    afterAll(() => origin.stop());

    test("reads what the other has, and goes on by itself", async () => {
      await using fork = await DevProcess.start(["--fork", originUrl(), "--seed", "a fork", ...of], environment);
      const { blockInfo } = (await origin.get("/last-finalized-block")) as { blockInfo: Record<string, string> };
      const root = blockInfo["postStateHash"]!;
      const addresses = origin.ready.accounts.map(({ address }) => address);
      let reads = 0;
      for (const address of addresses)
        for (const kind of ["data", "joins"]) {
          const path = `/v2/state/${root}/${kind}?vault=${address}&proof=true`;
          const [here, there] = [await fork.get(path), await origin.get(path)];
          expect(there["title"]).toBeUndefined();
          expect(here).toEqual(there);
          reads += 1;
        }
      expect(reads).toBe(20);
      const given = fork.ready.accounts[0]!.address;
      const gift = await fork.ask("/dev/faucet", { address: given });
      expect(gift.json).toMatchObject({ errored: false, systemDeployError: "" });
      expect(Number(gift.json["blockNumber"])).toBe(Number(blockInfo["blockNumber"]) + 2);
      expect((await fork.ask("/dev/mine", { blocks: 2 })).status).toBe(200);
      expect((await origin.get("/last-finalized-block"))["blockInfo"]).toMatchObject({
        blockHash: blockInfo["blockHash"],
      });
    });

    test("reports an origin that is none, lies, or has no such block", async () => {
      expect(fails("--fork", "not a url", ...of)).toMatch(/^1 [\s\S]*is no address of a node's HTTP API/);
      expect(fails("--fork", "http://127.0.0.1:1", ...of)).toMatch(
        /^1 [\s\S]*there is no node at http:\/\/127.0.0.1:1/,
      );
      expect(fails("--fork", originUrl(), "--at", "77", ...of)).toMatch(/^1 [\s\S]*has no block 77 to begin from/);
      const other = dialectNames.find((name) => name !== dialect)!;
      expect(fails("--fork", originUrl(), "--dialect", other)).toMatch(
        new RegExp(`^1 [\\s\\S]*of the dialect ${dialect}, and ${other} is wanted; use --dialect ${dialect}`),
      );
      const wrongs: readonly (readonly [(pieces: string) => string, RegExp])[] = [
        [(text) => text.replace(/"[0-9a-f]{8}/, '"00000000'), /served a wrong part of its state/],
        [(text) => text.replace(/"[0-9a-f]{8,}"/, "null"), /has no part [0-9a-f]{64} of its state any more/],
        [() => "{}", /does not answer/],
      ];
      for (const [change, text] of wrongs) {
        const { server, url } = await proxy(change);
        const chain = DevProcess.start(["--fork", url, ...of], environment);
        await expect(chain).rejects.toThrow(text);
        server.close();
      }
    });

    test("has all of a small state at once, and requests nothing that it makes itself", async () => {
      let answers = 0;
      const { server, url } = await proxy((text) => {
        answers += 1;
        return text;
      });
      await using fork = await DevProcess.start(["--fork", url, "--seed", "by itself", ...of], environment);
      const atStart = answers;
      const { address } = fork.ready.accounts[0]!;
      expect((await fork.ask("/dev/faucet", { address })).json).toMatchObject({ errored: false });
      expect((await fork.ask("/dev/mine", { blocks: 2 })).status).toBe(200);
      expect(answers).toBe(atStart);
      server.closeAllConnections();
      server.close();
    });

    test("goes on where it was, with what it has fetched, without the other", async () => {
      const directory = join(folder, `kept-${dialect}`);
      const { server, url } = await proxy((text) => text);
      const args = ["--fork", url, "--data-dir", directory, ...of];
      const fork = await DevProcess.start(args, environment);
      const { address } = fork.ready.accounts[1]!;
      const gift = await fork.ask("/dev/faucet", { address });
      expect(gift.json).toMatchObject({ errored: false });
      await fork.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await using again = await DevProcess.start(args, environment);
      expect((await again.ask("/dev/mine", { blocks: 2 })).status).toBe(200);
      const { blockInfo } = (await again.get("/last-finalized-block")) as { blockInfo: Record<string, number> };
      expect(blockInfo["blockNumber"]).toBe(Number(gift.json["blockNumber"]) + 2);
    });

    test("a request that needs an unreachable origin reports it, and the origin may come back", async () => {
      // More than is fetched at the start.
      const term = Array.from({ length: 9_000 }, (_, index) => `@${index}!(${index})`).join(" | ");
      const { publicKey: deployer } = origin.ready.accounts[0]!;
      expect((await origin.ask("/dev/deploy", { term, deployer })).json).toMatchObject({ errored: false });
      // A port without a listener, which no other test gets.
      const port = await freePort();
      const { server, url } = await proxy((text) => text, port);
      await using fork = await DevProcess.start(["--fork", url, ...of], environment);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      const { blockInfo } = (await origin.get("/last-finalized-block")) as { blockInfo: Record<string, string> };
      const path = `/v2/state/${blockInfo["postStateHash"]}/data?name=${encodeURIComponent("7777")}`;
      expect(JSON.stringify(await fork.get(path))).toContain("does not answer");
      const again = await proxy((text) => text, port);
      expect(await fork.get(path)).toEqual(await origin.get(path));
      again.server.closeAllConnections();
      again.server.close();
    });
  },
);
