import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createPeer } from "node:tls";
import { type Config, readConfig } from "@vedette/config";
import { createNodeCertificate, nodeIdOfCertificate, toHex } from "@vedette/crypto";
import { LmdbStore, tablesOf } from "@vedette/store";
import { freePortRange } from "@vedette/testing";
import { afterAll, describe, expect, test } from "vitest";
import { lockDirectory } from "../machine/dataDirectory.js";
import { diskFindings, examineDisk } from "./disk.js";
import { examine } from "./examine.js";
import { examineClock, examineOpenFiles, examinePorts } from "./machine.js";
import { clockDifferenceMs, examineBootstrap, examineOwnAddress } from "./peers.js";
import { examineNode, examineSpeed } from "./program.js";

const root = mkdtempSync(join(tmpdir(), "vedette-doctor-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function config(changes: Partial<Config> = {}): Config {
  return { ...readConfig({ home: root, environment: {} }).config, "storage.data-dir": join(root, "data"), ...changes };
}

async function listen(server: Server | ReturnType<typeof createPeer>, port = 0): Promise<number> {
  await once(server.listen(port, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

describe("the program", () => {
  test("runs on the versions that are tried, may run on others, not on old ones", () => {
    const verdicts = ["18.20.0", "20.18.9", "20.19.0", "22.1.0", "23.0.0", "24.21.0", "26.10.0"].map(
      (version) => examineNode(version).verdict,
    );
    expect(verdicts).toEqual(["bad", "bad", "good", "good", "doubtful", "good", "good"]);
  });

  test("shows whether its native code is there, and what it does in a second", () => {
    expect(examineSpeed()).toMatchObject({ verdict: "good", text: expect.stringMatching(/ [1-9]\d+ in a second/) });
    expect(examineSpeed(false)).toMatchObject({ verdict: "doubtful", advice: expect.stringContaining("secp256k1") });
  });
});

describe("a data directory", () => {
  const verdictsOf = async (path: string) => (await examineDisk(path)).map(({ about, verdict }) => [about, verdict]);

  test("may be missing, free, taken, of this version's format, or of none", async () => {
    const path = join(root, "disk");
    expect(await verdictsOf(join(path, "deep"))).toContainEqual(["Data directory", "good"]);
    mkdirSync(join(path, "chain"), { recursive: true });
    await new LmdbStore(join(path, "chain"), { tables: tablesOf("chain") }).close();
    expect(await verdictsOf(path)).toContainEqual(["Store", "good"]);
    const lockText = async () => (await examineDisk(path)).find(({ about }) => about === "Lock")?.text;
    expect(await lockText()).toContain("no node");
    const lock = await lockDirectory(path);
    expect(await lockText()).toContain("a node runs");
    lock.close();
    mkdirSync(join(path, "state"));
    writeFileSync(join(path, "state", "data.mdb"), "something else".repeat(1_000));
    expect(await verdictsOf(path)).toContainEqual(["Store", "bad"]);
  });

  test("needs room, and a disk of this machine", () => {
    const gib = 2 ** 30;
    const verdicts = (freeBytes: number, type: number) =>
      diskFindings("/x", { freeBytes, type }).map(({ verdict }) => verdict);
    expect(verdicts(100 * gib, 0xef53)).toEqual(["good", "good"]);
    expect(verdicts(5 * gib, 0x01021994)).toEqual(["doubtful", "doubtful"]);
    expect(verdicts(gib / 2, 0x6969)).toEqual(["bad", "bad"]);
    expect(verdicts(100 * gib, 0x794c7630)).toEqual(["good", "doubtful"]);
  });
});

describe("the machine", () => {
  test("lets as many files be open as connections are allowed", () => {
    const limits = (most: string) =>
      `Limit  Soft Limit  Hard Limit  Units\nMax open files            1024      ${most}    files\n`;
    const verdicts = ["256", "4096", "65536", "unlimited"].map(
      (most) => examineOpenFiles(config(), limits(most)).verdict,
    );
    expect(verdicts).toEqual(["bad", "doubtful", "good", "good"]);
  });

  test("has free ports, or a node on them", async () => {
    const other = createServer();
    const port = await listen(other);
    const taken = config({ "api-server.port-http": port, "api-server.host": "127.0.0.1" });
    expect(await examinePorts(taken, false)).toMatchObject({
      verdict: "bad",
      text: expect.stringContaining(String(port)),
    });
    expect((await examinePorts(taken, true)).verdict).toBe("good");
    other.close();
  });

  test("has a clock that goes with others", () => {
    const verdicts = [0, -900, 5_000, -20_000, undefined].map((ms) => examineClock(ms).verdict);
    expect(verdicts).toEqual(["good", "good", "doubtful", "bad", "doubtful"]);
  });
});

describe("the network", () => {
  test("has a bootstrap that answers, has the expected id, and has a clock", async () => {
    const { certificatePem: certificate, privateKeyPem: key } = createNodeCertificate(Date.now());
    const http = createServer((_request, response) =>
      response.setHeader("date", new Date(Date.now() - 60_000).toUTCString()).end(),
    );
    const peerServer = createPeer({
      cert: certificate,
      key,
      ALPNProtocols: ["h2"],
      requestCert: true,
      rejectUnauthorized: false,
    });
    // A node's port for HTTP is three above the one for its peers by default.
    const protocolPort = await freePortRange(4);
    await listen(http, protocolPort + 3);
    await listen(peerServer, protocolPort);
    const id = toHex(nodeIdOfCertificate(certificate));
    const peer = { id, host: "127.0.0.1", protocolPort, discoveryPort: 1 };
    expect(await examineBootstrap(peer)).toMatchObject({ verdict: "good" });
    expect(await examineBootstrap({ ...peer, id: "ab".repeat(20) })).toMatchObject({
      verdict: "bad",
      text: expect.stringContaining(id),
    });
    expect(examineClock(await clockDifferenceMs(peer)).verdict).toBe("bad");
    peerServer.close();
    http.close();
    expect(await examineBootstrap({ ...peer, protocolPort: 1 })).toMatchObject({ verdict: "bad" });
    expect(await clockDifferenceMs({ ...peer, protocolPort: 1 })).toBeUndefined();
  });

  test("have an address that others reach", async () => {
    const of = async (host: string | undefined, isPrivate = false) =>
      (
        await examineOwnAddress(
          config({ "protocol-server.host": host, "protocol-server.allow-private-addresses": isPrivate }),
        )
      ).verdict;
    expect(await of(undefined)).toBe("doubtful");
    expect(await of("8.8.8.8")).toBe("good");
    expect(await of("127.0.0.1")).toBe("bad");
    expect(await of("127.0.0.1", true)).toBe("good");
  });
});

test("everything is looked at, in one order", async () => {
  const abouts = [];
  for await (const { about } of examine(config())) abouts.push(about);
  expect(abouts).toEqual(
    "Node.js,Native code,Data directory,Space,File system,Open files,Ports,Own address,Bootstrap,Clock".split(","),
  );
});
