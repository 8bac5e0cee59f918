import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { toHex } from "@vedette/crypto";
import { encodePar } from "@vedette/terms";
import { freePort, until } from "@vedette/testing";
import fc from "fast-check";
import { transform } from "rolldown/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressOfKey, deployKeyOf } from "./deploy/deployKey.js";
import { HttpClient } from "./http/HttpClient.js";
import { anyRhoValue } from "./testing/fakes/anyRhoValue.js";
import { rholang } from "./value/rholang.js";
import { parOfRhoValue } from "./value/rhoPar.js";
import { Wallet } from "./wallet/Wallet.js";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const program = at("../../../program/cli/bin/vedette.js");
const text = readFileSync(at("../../../../docs/how-to/client.md"), "utf8");
/** Inside the package, where examples find it by its name; nothing in `dist` is kept. */
const folder = at(`../dist/examples-${process.pid}`);
const run = promisify(execFile);

interface Example {
  readonly heading: string;
  readonly code: string;
  readonly expected: readonly string[];
}

function examples(): Example[] {
  const found: Example[] = [];
  let heading = "";
  for (const [, title, code] of text.matchAll(/^## (.+)$|^```ts\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    else found.push({ heading, code: code!, expected: [...code!.matchAll(/\/\/ → (.+)$/gm)].map(([, line]) => line!) });
  }
  return found;
}

/** A network of one validator and one wallet. */
class LoneNode {
  readonly directory = mkdtempSync(join(tmpdir(), "vedette-docs-"));
  http = 0;
  grpc = 0;
  #ports: readonly number[] = [];
  #process: ChildProcess | undefined;
  #log = "";

  async start(): Promise<void> {
    const validator = deployKeyOf("01".repeat(32));
    const wallet = addressOfKey(deployKeyOf("02".repeat(32)));
    writeFileSync(join(this.directory, "bonds.txt"), `${toHex(validator.publicKey)} 1000\n`);
    writeFileSync(join(this.directory, "wallets.txt"), `${wallet},10000000000000\n`);
    this.#ports = await Promise.all(Array.from({ length: 6 }, freePort));
    [this.http, this.grpc] = [this.#ports[2]!, this.#ports[3]!];
    await this.#launch();
  }

  /** Ends it without warning, and starts it again on what it has on its disk. */
  async restart(): Promise<void> {
    this.#process!.kill("SIGKILL");
    await once(this.#process!, "exit");
    await this.#launch();
  }

  async #launch(): Promise<void> {
    const kinds = ["protocol-port", "discovery-port", "api-port-http", "api-port-grpc-external"];
    kinds.push("api-port-grpc-internal", "api-port-admin-http");
    this.#process = spawn(process.execPath, [
      program,
      "run",
      ...["--standalone", "--dev-mode", "--heartbeat-enabled", "--heartbeat-check-interval=500 milliseconds"],
      ...["--heartbeat-max-lfb-age=500 milliseconds", "--required-signatures=0", "--no-upnp"],
      ...["--host=127.0.0.1", "--api-host=127.0.0.1", "--allow-private-addresses"],
      ...["--network-id=docs", `--validator-private-key=${"01".repeat(32)}`],
      ...["bonds", "wallets"].map((name) => `--${name}-file=${join(this.directory, `${name}.txt`)}`),
      `--data-dir=${join(this.directory, "data")}`,
      ...kinds.map((kind, index) => `--${kind}=${this.#ports[index]}`),
    ]);
    const keep = (part: Buffer) => {
      this.#log += part.toString();
    };
    this.#process.stdout!.on("data", keep);
    this.#process.stderr!.on("data", keep);
    await this.#follows();
  }

  async stop(): Promise<void> {
    if (this.#process?.exitCode === null) {
      this.#process.kill("SIGTERM");
      await once(this.#process, "exit");
    }
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Waits for a finalized block after genesis. */
  async #follows(): Promise<void> {
    const client = new HttpClient({ url: `http://127.0.0.1:${this.http}`, retries: 0 });
    const look = async () => {
      const finalized = await client.lastFinalizedBlock().catch(() => undefined);
      if (this.#process!.exitCode !== null) throw new Error(`the node has ended:\n${this.#log}`);
      return finalized !== undefined && finalized.blockInfo.blockNumber > 0n;
    };
    await until("a finalized block", look, { everyMs: 100, state: () => this.#log });
  }
}

const node = new LoneNode();
const all = examples();

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  all.forEach(({ code }, index) => {
    writeFileSync(join(folder, `example${index}.ts`), `export {};\n${code}`);
  });
  await node.start();
});
afterAll(async () => {
  await node.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("every example is typed, and is JavaScript once its types are taken off", async () => {
  const options = { extends: "../../../../../tsconfig.base.json", include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
  const tsc = at("../../../../node_modules/typescript/bin/tsc");
  const { stdout } = await run(process.execPath, [tsc, "-p", folder]).catch((error: { stdout: string }) => error);
  expect(stdout).toBe("");
  expect(all.length).toBeGreaterThan(12);
  mkdirSync(join(folder, "out"));
  for (const index of all.keys()) {
    const source = readFileSync(join(folder, `example${index}.ts`), "utf8");
    const { code, errors } = await transform(`example${index}.ts`, source, { target: "es2023", tsconfig: false });
    expect(errors).toEqual([]);
    writeFileSync(join(folder, `out/example${index}.js`), code);
  }
});

test("values that are written into a program come back as they were", async () => {
  const client = new HttpClient(`http://127.0.0.1:${node.http}`);
  const kinds = { unforgeables: false, negatives: true, bytes: true, keys: "texts" } as const;
  const sent = fc.sample(anyRhoValue(kinds), { numRuns: 300, seed: 5 });
  const { values } = await client.explore(rholang`new return in { return!(${sent}) }`);
  expect(values.map((value) => toHex(encodePar(parOfRhoValue(value))))).toEqual([
    toHex(encodePar(parOfRhoValue(sent))),
  ]);
});

test("a transfer that is not covered is refused in the contract's words", async () => {
  const client = new HttpClient(`http://127.0.0.1:${node.http}`);
  const wallet = new Wallet({ key: deployKeyOf("02".repeat(32)), validator: client, read: client, dialect: "rnode" });
  const transfer = await wallet.transfer(addressOfKey(deployKeyOf("03".repeat(32))), 10n ** 18n);
  await expect(transfer.done()).rejects.toMatchObject({ failure: { code: "refused", reason: "Insufficient funds" } });
});

test.each(all.map(({ heading }, index) => [index, heading] as const))(
  "example %i (%s) prints the documented output",
  async (index) => {
    const compiled = join(folder, "out", `example${index}.js`);
    const here = readFileSync(compiled, "utf8")
      .replaceAll("http://localhost:40403", `http://127.0.0.1:${node.http}`)
      .replaceAll(/host: "localhost",\s+port: 40401/g, `host: "127.0.0.1", port: ${node.grpc}`);
    const file = join(folder, `run${index}.mjs`);
    writeFileSync(file, here);
    const { stdout } = await run(process.execPath, [file], { env: { ...process.env, NO_COLOR: "1" } });
    const printed = stdout.trimEnd().split("\n");
    const { expected } = all[index]!;
    expect(printed.length, stdout).toBe(expected.length);
    expected.forEach((line, at) => {
      const [before, after] = line.split("…");
      if (after === undefined) expect(printed[at]).toBe(line);
      else expect(printed[at]?.startsWith(before!) && printed[at]?.endsWith(after), printed[at]).toBe(true);
    });
  },
);

/** The programs of `examples/`, as the build leaves them, with what each prints; in the order in which they run. */
const programs: readonly { readonly name: string; readonly args: readonly string[]; readonly prints: RegExp }[] = [
  {
    name: "sendTransfer",
    args: [addressOfKey(deployKeyOf("04".repeat(32))), "7"],
    prints: /^1\w+ has \d+\n.*\nfinal in block/,
  },
  { name: "callContract", args: ["21"], prints: /\ntwice 21 is 42; it took \d+ phlo\n$/ },
  { name: "watchBlocks", args: ["3"], prints: /^(#\d+ [0-9a-f]{64}\n){3}$/ },
  { name: "accountStatement", args: [addressOfKey(deployKeyOf("04".repeat(32)))], prints: /: 7\n\+7 from 1\w+\n$/ },
  { name: "checkBalance", args: [addressOfKey(deployKeyOf("04".repeat(32)))], prints: /^block #\d+: 1\w+ has 7\n$/ },
];

test.each(programs.map((program) => [program.name, program] as const))(
  "the program examples/src/%s.ts does what it documents",
  async (name, { args, prints }) => {
    const url = `http://127.0.0.1:${node.http}`;
    const env = { ...process.env, OBSERVER: url, VALIDATOR: url, VEDETTE_PRIVATE_KEY: "02".repeat(32) };
    const { stdout } = await run(process.execPath, [at(`../../../../examples/dist/${name}.js`), ...args], { env });
    expect(stdout).toMatch(prints);
  },
);

test("every program of examples is tried", () => {
  const names = readdirSync(at("../../../../examples/src")).filter((file) => file !== "surroundings.ts");
  expect(names.toSorted()).toEqual(programs.map(({ name }) => `${name}.ts`).toSorted());
});

test("a stream of events goes on when the node is killed and started again", async () => {
  const client = new HttpClient(`http://127.0.0.1:${node.http}`);
  const wallet = new Wallet({ key: deployKeyOf("02".repeat(32)), validator: client, read: client, dialect: "rnode" });
  // A lone validator makes a block for a deploy.
  const block = async () => (await (await wallet.send("Nil")).included()).blockNumber;
  const last = await block();
  const later = (async () => {
    await node.restart();
    return [await block(), await block()];
  })();
  const numbers: bigint[] = [];
  for await (const event of client.events({
    kinds: ["blockAdded"],
    after: "oldest",
    retryPauseMs: 50,
    giveUpAfterMs: 60_000,
  })) {
    numbers.push(event.blockNumber);
    if (event.blockNumber === last + 2n) break;
  }
  expect(await later).toEqual([last + 1n, last + 2n]);
  expect(numbers).toEqual(Array.from({ length: Number(last) + 2 }, (_, index) => BigInt(index + 1)));
});
