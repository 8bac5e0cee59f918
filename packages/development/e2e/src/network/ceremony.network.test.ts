import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, type NodePorts, NodeProcess } from "@vedette/cli/testing";
import { secp256k1PublicKeyOf, toHex } from "@vedette/crypto";
import { describe, expect, test } from "vitest";

const privateKeyOf = (seed: number) => new Uint8Array(32).fill(seed);
const publicKeyOf = (seed: number) => toHex(secp256k1PublicKeyOf(privateKeyOf(seed)));
const validators = [1, 2, 3];

/** Nodes that found a network, each with a folder of its own. */
class Founders implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "vedette-ceremony-"));
  readonly bonds = join(this.folder, "bonds.txt");
  readonly #ports = new Map<string, NodePorts>();
  readonly #started: NodeProcess[] = [];

  constructor(bonds = validators.map((seed) => `${publicKeyOf(seed)} 1000\n`).join("")) {
    writeFileSync(this.bonds, bonds);
  }

  async master(): Promise<NodeProcess> {
    return this.#start("master", { "casper.genesis-ceremony.ceremony-master-mode": "true" });
  }

  async validator(seed: number, bootstrap: string, more: Record<string, string> = {}): Promise<NodeProcess> {
    const key = join(this.folder, `validator-${seed}.sk`);
    writeFileSync(key, toHex(privateKeyOf(seed)), { mode: 0o600 });
    return this.#start(`validator-${seed}`, {
      "casper.genesis-ceremony.genesis-validator-mode": "true",
      "casper.validator-private-key-path": JSON.stringify(key),
      "protocol-client.bootstrap": JSON.stringify(bootstrap),
      ...more,
    });
  }

  /** Starts a node, anew where it has run before. */
  async #start(name: string, settings: Record<string, string>): Promise<NodeProcess> {
    const dataDir = join(this.folder, name);
    const ports = this.#ports.get(name) ?? (await freePorts());
    this.#ports.set(name, ports);
    mkdirSync(join(dataDir, "genesis"), { recursive: true });
    copyFileSync(this.bonds, join(dataDir, "genesis", "bonds.txt"));
    const all = {
      "casper.genesis-ceremony.required-signatures": "2",
      "casper.genesis-ceremony.approve-interval": "1 seconds",
      "casper.genesis-ceremony.approve-duration": "2 seconds",
      "peers-discovery.lookup-interval": "1 seconds",
      ...settings,
    };
    const text = Object.entries(all).map(([key, value]) => `${key} = ${value}\n`);
    writeFileSync(join(dataDir, "rnode.conf"), text.join(""));
    const node = new NodeProcess({ dataDir, ports, networkId: "ceremony", args: [] });
    this.#started.push(node);
    return node;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#started.map((node) => node.stop()));
    rmSync(this.folder, { recursive: true });
  }
}

const running = /Making a transition to Running state\. Approved Block #0 \(([0-9a-f]{10})\.\.\.\)/;
const genesisOf = async (node: NodeProcess) => running.exec(await node.line(running))?.[1];

describe("a genesis ceremony of real nodes", () => {
  test("leads all to one genesis, with one that comes when it is over", async () => {
    await using founders = new Founders();
    const master = await founders.master();
    const address = await master.address();
    const [one, two] = [await founders.validator(1, address), await founders.validator(2, address)];
    const genesis = await genesisOf(master);
    for (const node of [one, two]) {
      expect(await genesisOf(node)).toBe(genesis);
      await node.line(/Approved genesis block candidate from .* Approval sent in response\./);
    }
    const late = await founders.validator(3, address);
    expect(await genesisOf(late)).toBe(genesis);
    await master.line(/Completing genesis ceremony: 2\/3 validators signed, required: 2, timeout: reached/);
  });

  test("begins anew with a master that was killed in the middle, and goes on with one that was killed after it", async () => {
    await using founders = new Founders();
    const first = await founders.master();
    const address = await first.address();
    const one = await founders.validator(1, address);
    await first.line(/1 approvals received/);
    await first.kill();
    const master = await founders.master();
    const two = await founders.validator(2, address);
    const genesis = await genesisOf(master);
    await master.kill();
    const again = await founders.master();
    await again.line(/Approved block found, reconnecting to existing network/);
    for (const node of [again, one, two]) expect(await genesisOf(node)).toBe(genesis);
  });

  test("is refused to a validator with another configuration, which joins all the same", async () => {
    await using founders = new Founders();
    const master = await founders.master();
    const address = await master.address();
    const other = await founders.validator(3, address, { "casper.genesis-block-data.epoch-length": "7" });
    await other.line(/unexpected genesis block candidate .* because: Genesis candidate deploys do not match/);
    const [one, two] = [await founders.validator(1, address), await founders.validator(2, address)];
    const genesis = await genesisOf(master);
    for (const node of [one, two, other]) expect(await genesisOf(node)).toBe(genesis);
  });
});

describe("a founder that cannot take part ends with 1 and reports why", () => {
  const bootstrap = `rnode://${"ab".repeat(20)}@127.0.0.1?protocol=1&discovery=1`;

  test("a validator that is not bonded", async () => {
    await using founders = new Founders();
    const node = await founders.validator(9, bootstrap);
    await node.line(new RegExp(`The validator key ${publicKeyOf(9)} is not in .*bonds\\.txt`));
    expect(await node.ended()).toBe(1);
  });

  test("a master with a malformed bonds file", async () => {
    await using founders = new Founders(`${publicKeyOf(1)} 1000\n\nnonsense\n`);
    const node = await founders.master();
    await node.line(/^vedette: FAILED PARSING BONDS FILE: .*bonds\.txt/);
    await node.line(/^java\.lang\.Exception: INVALID LINE FORMAT: .*actual: `nonsense`` \(line 3\)/);
    expect(await node.ended()).toBe(1);
  });

  test("a master that requires more approvals than there can be", async () => {
    await using founders = new Founders(`${publicKeyOf(1)} 1000\n${publicKeyOf(2)} 1000\n`);
    const node = await founders.master();
    await node.line(/Required sigs must be smaller than the number of bonded validators \(.*required-signatures is 2/);
    expect(await node.ended()).toBe(1);
  });
});
