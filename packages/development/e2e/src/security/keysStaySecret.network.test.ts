import { spawn } from "node:child_process";
import { createPrivateKey } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, portOptions, program } from "@vedette/cli/testing";
import { fromHex } from "@vedette/crypto";
import { identityFiles, validatorKeyFile } from "@vedette/devtools/devnet";
import { patienceMs, skipNote } from "@vedette/testing";
import { expect, onTestFinished, test } from "vitest";
import { NetworkProcesses } from "../network/NetworkProcesses.js";
import { deployIsFinal, deployTo, transferBy } from "../network/networkDeploys.js";
import { SecretScanner } from "./SecretScanner.js";

const answerMs = patienceMs();
const isLinux = process.platform === "linux";
const key = "67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530";

test("what a trace looks for is found in every form", () => {
  const traces = new SecretScanner([{ name: "it", bytes: fromHex(key) }]);
  const said = `${key} ${Buffer.from(key, "hex").toString("base64")} [${fromHex(key).join(", ")}]`;
  expect(traces.in(said)).toEqual(["it as hexadecimal", "it as base 64", "it as a list of numbers with spaces"]);
  expect(traces.in(Buffer.concat([Buffer.from("a"), fromHex(key)]))).toEqual(["it as bytes"]);
  expect(traces.in(key.slice(0, 40))).toEqual([]);
});

test.skipIf(!isLinux)(
  `no key is in what nodes log, answer, store, start with or report about themselves${skipNote(isLinux ? undefined : "no /proc")}`,
  async () => {
    const more = { "logging.level": "debug" };
    await using network = await NetworkProcesses.start({ validators: 1, wallets: 2, rhythmMs: 500 }, more);
    const [from, to] = network.wallets;
    await network.finalizes(network.names, 1);
    const folders = network.names.map((name) => network.node(name).plan.directory);
    const traces = new SecretScanner([
      ...network.wallets.map(({ name, privateKey }) => ({ name, bytes: fromHex(privateKey) })),
      { name: "the validator's key", bytes: fromHex(readText(join(folders[0]!, validatorKeyFile)).trim()) },
      ...folders.map((folder) => ({ name: `the key of ${folder}`, bytes: tlsKey(join(folder, identityFiles.key)) })),
    ]);
    const id = await transferBy(network, "validator1", { from: from!, to: to!, amount: 5n });
    await deployTo(network, "validator1", from!, "1 + true");
    await deployIsFinal(network, "observer", id);

    const found: string[] = [];
    const look = (where: string, content: string | Uint8Array) =>
      found.push(...traces.in(content).map((what) => `${what} in ${where}`));
    let answers = 0;
    for (const name of network.names) {
      const { ports } = network.node(name).plan;
      for (const port of [ports.http, ports.adminHttp])
        for (const path of [...(await plainPaths(port)), `/api/deploy/${id}`, `/v2/deploy/${id}`, "/api/blocks/0/20"]) {
          look(`${name} ${path}`, await textAt(port, path));
          answers += 1;
        }
      const { pid } = network.node(name).process;
      for (const file of ["cmdline", "environ"]) look(`${file} of ${name}`, readFileSync(`/proc/${pid}/${file}`));
    }
    expect(answers).toBeGreaterThan(30);

    const keyFiles = new Set<string>([validatorKeyFile, identityFiles.key]);
    const files = folders.flatMap((folder) => filesOf(folder).map((file) => [folder, file] as const));
    expect(files.length).toBeGreaterThan(10);
    for (const [folder, file] of files)
      if (!keyFiles.has(file)) look(join(folder, file), readFileSync(join(folder, file)));
    expect(found).toEqual([]);
    // Where they belong they are, so that what is looked for is the right thing.
    expect(traces.in(readFileSync(join(folders[0]!, validatorKeyFile)))).toEqual([
      "the validator's key as hexadecimal",
    ]);
  },
);

test("a key in the environment is gone when the node runs: the report of its process has none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-report-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const ports = await freePorts();
  const bootstrap = `rnode://${"ab".repeat(20)}@127.0.0.1?protocol=${ports.protocol}&discovery=${ports.discovery}`;
  const args = [
    "run",
    `--data-dir=${folder}`,
    `--bootstrap=${bootstrap}`,
    "--host=127.0.0.1",
    "--allow-private-addresses",
  ];
  const reporting = [
    "--report-on-signal",
    "--report-signal=SIGHUP",
    `--report-directory=${folder}`,
    "--report-filename=report.json",
  ];
  const node = spawn(
    process.execPath,
    [...reporting, program, ...args, "--no-upnp", "--log-level=debug", ...portOptions(await freePorts())],
    {
      env: {
        ...process.env,
        VEDETTE_CASPER_VALIDATOR_PRIVATE_KEY: key,
        VEDETTE_PRIVATE_KEY: key,
        VEDETTE_KEY_PASSWORD: "open sesame",
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  onTestFinished(() => void node.kill("SIGKILL"));
  let output = "";
  for (const stream of [node.stdout, node.stderr]) stream.on("data", (text) => (output += String(text)));
  await expect.poll(() => output).toContain("Validator identity: 04c591a8");
  node.kill("SIGHUP");
  const report = join(folder, "report.json");
  await expect.poll(() => existsSync(report) && isJson(readText(report))).toBe(true);
  node.kill("SIGTERM");
  await once(node, "exit");
  expect(readText(report)).toContain("environmentVariables");
  const traces = new SecretScanner([{ name: "the key", bytes: fromHex(key) }]);
  expect([...traces.in(readText(report)), ...traces.in(output)]).toEqual([]);
  expect(readText(report) + output).not.toContain("open sesame");
});

/** GET routes without parameters that a server has. */
async function plainPaths(port: number): Promise<string[]> {
  const paths = [
    "/status",
    "/version",
    "/metrics",
    "/docs",
    "/api/v1/openapi.json",
    "/api/v1/status",
    "/api/v1/blocks",
  ];
  const document = await textAt(port, "/openapi.json");
  if (!isJson(document)) return paths;
  const { paths: routes } = JSON.parse(document) as { paths: Record<string, { get?: object }> };
  const isPlain = (path: string) => routes[path]?.get !== undefined && !path.includes("{") && !/events/.test(path);
  return [...paths, "/openapi.json", ...Object.keys(routes).filter(isPlain)];
}

async function textAt(port: number, path: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(answerMs) });
  return [...answer.headers].join("\n") + (await answer.text());
}

/** The number behind a key of TLS, 32 bytes. */
function tlsKey(path: string): Uint8Array {
  const { d } = createPrivateKey(readText(path)).export({ format: "jwk" });
  return Buffer.from(d!, "base64url");
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readText(path: string): string {
  return readFileSync(path, "utf8");
}
