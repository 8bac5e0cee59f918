import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, type KeyName, readConfig } from "@vedette/config";
import { secp256k1PublicKeyOf, signHash, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { F1r3nodeExecutor, RnodeExecutor } from "@vedette/executor";
import { executorHere } from "@vedette/executor/testing";
import type { ExecutorClient } from "@vedette/executor/threads";
import { Block, type BlockSigner, decodeBlock, encodeBlock, hashBlock, shortBlock } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { describe, expect, onTestFinished, test } from "vitest";
import { f1r3nodeDialect } from "../dialect/f1r3nodeDialect.js";
import type { NodeDialect } from "../dialect/NodeDialect.js";
import { rnodeDialect } from "../dialect/rnodeDialect.js";
import { genesisPortOf } from "./genesisPort.js";

const keyOf = (seed: number): BlockSigner => {
  const privateKey = new Uint8Array(32).fill(seed);
  return { publicKey: secp256k1PublicKeyOf(privateKey), sign: (hash) => signHash("secp256k1", hash, privateKey) };
};
const keys = [1, 2, 3].map(keyOf);
const bonds = keys.map(({ publicKey }, index) => `${toHex(publicKey)} ${(index + 1) * 1000}\n`).join("");
const wallets = keys.map(({ publicKey }) => `${vaultAddressOfPublicKey(publicKey)},50000000\n`).join("");

function configOf(
  options: Partial<Record<KeyName, string>> = {},
  files: { bonds?: string; wallets?: string } = {},
): Config {
  const home = mkdtempSync(join(tmpdir(), "vedette-genesis-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, "genesis"));
  writeFileSync(join(home, "genesis", "bonds.txt"), files.bonds ?? bonds);
  writeFileSync(join(home, "genesis", "wallets.txt"), files.wallets ?? wallets);
  const set = { "storage.data-dir": home, "casper.genesis-ceremony.required-signatures": "2", ...options };
  return readConfig({ home, options: new Map(Object.entries(set) as [KeyName, string][]), environment: {} }).config;
}

/** A node's executor, without a thread. */
function newExecutor(dialect: NodeDialect = rnodeDialect) {
  const store = new MemoryStore(tablesOf("state"));
  const executor = dialect === f1r3nodeDialect ? new F1r3nodeExecutor(store) : new RnodeExecutor(store);
  return { executor: executorHere(executor), emptyStateHash: executor.makeEmptyState(), dialect };
}

const portOf = (config: Config, identity: BlockSigner | undefined = keys[0], dialect?: NodeDialect) =>
  portWithout(config, identity, dialect);

function portWithout(config: Config, identity?: BlockSigner, dialect?: NodeDialect) {
  const lines: string[] = [];
  const port = genesisPortOf({
    ...newExecutor(dialect),
    config,
    identity,
    log: ({ text }) => lines.push(text),
    nowMs: () => 1_700_000_000_000.5,
  });
  return { port, lines };
}

const f1r3nodeKeys = ["native-token-name", "native-token-symbol", "native-token-decimals"] as const;

describe.each([
  { dialect: rnodeDialect, deploys: 11, others: [] },
  {
    ...{ dialect: f1r3nodeDialect, deploys: 13 },
    others: [
      ...f1r3nodeKeys.map((key) => ({ [`casper.genesis-block-data.${key}`]: "3" })),
      { "casper.fault-tolerance-threshold": "0.5" },
    ],
  },
])("on a network of $dialect.protocol.name", ({ dialect, deploys, others }) => {
  test("validators find what the master makes to be what they expect, and nothing else", async () => {
    const { protocol } = dialect;
    const block = await portOf(configOf(), undefined, dialect).port.make();
    expect(shortBlock(block)).toMatch(/^Block #0 .* with empty parents/);
    expect(block.hash).toEqual(hashBlock(block, protocol));
    expect(block.header.timestamp).toBe(1_700_000_000_000n);
    expect(block.body.deploys.length).toBe(deploys);
    expect(block.body.state.bonds.map(({ stake }) => stake).sort()).toEqual([1000n, 2000n, 3000n]);
    const received = decodeBlock(encodeBlock(block), protocol.blockForm);
    const candidate = { block: received, requiredSignatures: 2 };
    const judge = async (...config: Parameters<typeof configOf>) => {
      const { port } = portOf(configOf(...config), keys[1], dialect);
      await port.prepare();
      return port.checkCandidate(candidate);
    };
    expect(await judge()).toBeUndefined();
    expect(await judge({ "casper.genesis-ceremony.required-signatures": "1" })).toBe(
      "Candidate didn't have required signatures number.",
    );
    expect(await judge({}, { bonds: bonds.replace("1000", "1001") })).toBe("Block bonds don't match expected.");
    expect(await judge({}, { wallets: "" })).toBe(
      "Mismatch between number of candidate deploys and expected number of deploys.",
    );
    const terms = /^Genesis candidate deploys do not match expected blessed contracts\.\nBad contracts \(5 first\):\n/;
    const reordered = wallets.trim().split("\n").reverse().join("\n");
    for (const refusal of [
      await judge({}, { wallets: reordered }),
      await judge({ "casper.genesis-block-data.epoch-length": "10" }),
      await judge({ "casper.genesis-block-data.pos-multi-sig-quorum": "1" }),
      ...(await Promise.all(others.map((other) => judge(other)))),
    ]) {
      expect(refusal).toMatch(terms);
    }
    const { body } = block;
    const forged = new Block({
      ...block,
      body: { ...body, state: { ...body.state, postStateHash: new Uint8Array(32) } },
      ...{ cachedBody: undefined, cachedEncoding: undefined },
    });
    const renamed = new Block({ ...forged, hash: hashBlock(forged, protocol) });
    const { port } = portOf(configOf(), keys[1], dialect);
    expect(await port.checkCandidate({ block: renamed, requiredSignatures: 2 })).toBe("Tuplespace hash mismatch.");
  });
});

test("genesis has the time and the number that are configured", async () => {
  const data = "casper.genesis-block-data";
  const { port } = portOf(configOf({ [`${data}.deploy-timestamp`]: "5", [`${data}.genesis-block-number`]: "7" }));
  const block = await port.make();
  expect([block.header.timestamp, block.number]).toEqual([5n, 7n]);
});

test("a genesis that lacks a contract is not made, and the error names it", async () => {
  const parts = newExecutor();
  const playGenesis: ExecutorClient["playGenesis"] = (call) => {
    const [registry, ...others] = call.deploys;
    return parts.executor.playGenesis({
      ...call,
      deploys: [{ ...registry!, term: `// broken\n@1!(1 + "")` }, ...others],
    });
  };
  const executor = { ...parts.executor, playGenesis };
  const port = genesisPortOf({
    ...parts,
    executor,
    config: configOf(),
    identity: keys[0],
    log: () => {},
    nowMs: () => 1,
  });
  await expect(port.make()).rejects.toThrow(
    'The genesis block cannot be made: deploy 1 of 11 failed: // broken @1!(1 + ""); please report this',
  );
});

test("a master logs that its own validator key is not bonded", async () => {
  const lines: string[] = [];
  const parts = newExecutor();
  // The line is logged before anything is executed.
  const playGenesis: ExecutorClient["playGenesis"] = () => Promise.reject(new TypeError("not played"));
  const port = genesisPortOf({
    ...{ ...parts, executor: { ...parts.executor, playGenesis }, config: configOf(), identity: keyOf(9) },
    ...{ log: ({ text }) => lines.push(text), nowMs: () => 1 },
  });
  await expect(port.make()).rejects.toThrow("not played");
  expect(lines.filter((line) => /this node proposes once it has bonded/.test(line)).length).toBe(1);
});

test("a validator with a missing or unbonded key is refused at the start", async () => {
  await expect(portOf(configOf(), keyOf(9)).port.prepare()).rejects.toThrow(
    /^The validator key 04[0-9a-f]{128} is not in .*bonds\.txt, so that its approval would not count/,
  );
  const { port } = portWithout(configOf());
  await expect(port.prepare()).rejects.toThrow(/genesis-validator-mode needs a validator's key/);
});

test("nothing is read before a ceremony needs it", () => {
  const config = configOf({ "casper.genesis-block-data.bonds-file": "/nowhere/bonds.txt" });
  expect(portOf(config).lines).toEqual([]);
});

test("an f1r3node node does not follow a chain with another token", async () => {
  const { executor, emptyStateHash } = newExecutor(f1r3nodeDialect);
  const parts = {
    executor,
    emptyStateHash,
    dialect: f1r3nodeDialect,
    identity: undefined,
    log: () => {},
    nowMs: () => 1,
  };
  const block = await genesisPortOf({ ...parts, config: configOf() }).make();
  const roots = [new Uint8Array(32), block.body.state.postStateHash];
  const other = configOf({ "casper.genesis-block-data.native-token-symbol": "OTHER" });
  await expect(f1r3nodeDialect.checkChain(configOf(), executor, roots)).resolves.toBeUndefined();
  await expect(f1r3nodeDialect.checkChain(other, executor, roots)).rejects.toThrow(
    'native-token-symbol is "OTHER", in the chain "F1R3"',
  );
  await expect(f1r3nodeDialect.checkChain(other, executor, [new Uint8Array(32)])).resolves.toBeUndefined();
  await expect(rnodeDialect.checkChain(other, executor, roots)).resolves.toBeUndefined();
});
