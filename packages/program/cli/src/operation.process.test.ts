import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { exitCodes } from "./exitCodes.js";
import { freePorts, portOptions } from "./testing/NodeProcess.js";

const program = fileURLToPath(new URL("../bin/vedette.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vedette-operation-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function exitCodeOf(...args: string[]): Promise<number | null> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], () => resolve(child.exitCode));
  });
}

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

describe("exit codes are the table's (50 §6.4)", () => {
  const onlyKey = "casper.genesis-block-data.pos-multi-sig-public-keys = [a]\n";
  test.each<[string, number, () => string[]]>([
    ["help", exitCodes.success, () => ["--help"]],
    ["help of a command", exitCodes.success, () => ["run", "--help"]],
    ["the version", exitCodes.success, () => ["--version"]],
    ["a command that is not known", exitCodes.usage, () => ["fly"]],
    ["an option that is not known", exitCodes.usage, () => ["run", "--fly"]],
    ["run without a network", exitCodes.usage, () => ["run", "--data-dir", join(folder, "none")]],
    ["a configuration that does not parse", exitCodes.failure, () => ["run", "-c", file("a.conf", "a = {")]],
    ["a value that cannot be", exitCodes.failure, () => ["run", "-c", file("b.conf", "standalone = perhaps")]],
    ["more signatures than keys", exitCodes.failure, () => ["run", "-c", file("c.conf", onlyKey)]],
    ["a log level that is none", exitCodes.failure, () => ["run", "--standalone", "--log-level=loud"]],
    ["a configuration that can be used", exitCodes.success, () => ["config", "check", file("d.conf", "")]],
    ["one that cannot", exitCodes.failure, () => ["config", "check", file("e.conf", "standalone = perhaps")]],
    ["all settings", exitCodes.success, () => ["config", "show"]],
    ["eval with too many files", exitCodes.usage, () => ["eval", "a.rho", "b.rho"]],
  ])("%s: %d", async (_name, code, args) => {
    expect(await exitCodeOf(...args())).toBe(code);
  });

  test("ports that are taken", async () => {
    const ports = await freePorts();
    const taken = createServer().listen(ports.http, "127.0.0.1");
    await once(taken, "listening");
    const place = ["--data-dir", join(folder, "taken"), "--host=127.0.0.1", "--api-host=127.0.0.1"];
    const rest = ["--allow-private-addresses", "--no-upnp", ...portOptions(ports)];
    expect(await exitCodeOf("run", "--standalone", ...place, ...rest)).toBe(exitCodes.failure);
    taken.close();
  });
});

/** Starts a node that looks for its network, and collects its output. */
async function startNode(conf: string) {
  const ports = await freePorts();
  const dataDir = mkdtempSync(join(folder, "node-"));
  writeFileSync(join(dataDir, "rnode.conf"), conf);
  const bootstrap = `rnode://${"ab".repeat(20)}@127.0.0.1?protocol=1&discovery=1`;
  const args = [`--bootstrap=${bootstrap}`, "--host=127.0.0.1", "--api-host=127.0.0.1", "--allow-private-addresses"];
  const node = spawn(
    process.execPath,
    [program, "run", "--data-dir", dataDir, "--no-upnp", ...args, ...portOptions(ports)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let text = "";
  node.stdout.on("data", (bytes: Buffer) => (text += bytes.toString()));
  const exited = once(node, "exit");
  return {
    ports,
    lines: () => text.split("\n").slice(0, -1),
    configure: (conf2: string) => writeFileSync(join(dataDir, "rnode.conf"), conf2),
    signal: (name: NodeJS.Signals) => node.kill(name),
    async said(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = text.split("\n").find((line) => pattern.test(line));
        if (found !== undefined) return found;
        if (node.exitCode !== null) throw new Error(`it ended without ${pattern}:\n${text}`);
        await Promise.race([once(node.stdout, "data"), exited]);
      }
    },
    async end(name: NodeJS.Signals): Promise<number | null> {
      node.kill(name);
      return (await exited)[0];
    },
  };
}

describe("a running node", () => {
  test("changes its log level at SIGHUP and SIGUSR2, is measured, and ends with 143", async () => {
    const node = await startNode("logging.level = info");
    const { http } = node.ports;
    await node.said(/Waiting for first connection/);
    for (const line of node.lines()) {
      const { level, area, msg, time } = JSON.parse(line);
      expect([typeof level, typeof area, typeof msg, typeof time]).toEqual(["string", "string", "string", "string"]);
    }
    const metrics = await (await fetch(`http://127.0.0.1:${http}/metrics`)).text();
    expect(metrics).toMatch(/^rchain_comm_rp_connect_peers (\d+).0\s*$/m);
    expect(metrics).toMatch(/^vedette_phase\{phase="\w+"\} 1$/m);
    expect(metrics).toMatch(/^vedette_store_bytes\{store="state"\} [1-9]\d+$/m);

    node.configure('logging.level = "error,network=debug"');
    node.signal("SIGHUP");
    // The new level hides lines of this kind: the line about the change is written under the old level or not at all.
    node.signal("SIGUSR2");
    await node.said(/everything is logged/);
    node.signal("SIGUSR2");
    node.configure("logging.level = loud");
    node.signal("SIGHUP");
    node.configure("logging.level = warn");
    node.signal("SIGHUP");
    expect(await node.said(/the log level is warn/)).toContain('"level":"warn"');
    expect(await node.end("SIGTERM")).toBe(exitCodes.terminated);
  });

  test("ends with 130 at SIGINT", async () => {
    const node = await startNode("");
    await node.said(/Waiting for first connection/);
    expect(await node.end("SIGINT")).toBe(exitCodes.interrupted);
    await expect(fetch(`http://127.0.0.1:${node.ports.http}/status`)).rejects.toThrow();
  });
});
