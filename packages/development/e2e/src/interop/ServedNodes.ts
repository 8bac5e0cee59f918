import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, NodeProcess } from "@vedette/cli/testing";
import { addressOfKey, buildDeploy, deployKeyOf } from "@vedette/client";
import { NodeClient } from "@vedette/client/node";
import { toHex } from "@vedette/crypto";
import { testKey } from "@vedette/node/testing";
import type { Deploy } from "@vedette/protocol";
import { patienceMs, processEvidence, until } from "@vedette/testing";
import { extendChain } from "./extendChain.js";

/** Blocks that are there to be listed. */
export const tailBlocks = 5_200;
/** Bytes of each large program; a block has two. */
const largeBytes = 3_900_000;
const validator = testKey("validator");
const user = testKey("user");

/** The parts of the chain that clients request. */
export interface ServedChain {
  /** Ids of the deploys, hexadecimal. */
  readonly deploys: { readonly greeting: string };
  /** Hashes of their blocks. */
  readonly blocks: { readonly greeting: string; readonly large: string; readonly oneLarge: string };
}

/**
 * Two processes of one network: a validator that takes deploys and makes blocks on request, and a node that
 * reads a chain of some thousand blocks which begins with the validator's.
 */
export class ServedNodes implements AsyncDisposable {
  readonly folder: string;
  readonly chain: ServedChain;
  readonly validator: NodeProcess;
  readonly reader: NodeProcess;
  /** As the reader, for clients that check the connection every ten seconds. */
  readonly patient: NodeProcess;

  private constructor(folder: string, chain: ServedChain, nodes: readonly NodeProcess[]) {
    this.folder = folder;
    this.chain = chain;
    [this.validator, this.reader, this.patient] = nodes as [NodeProcess, NodeProcess, NodeProcess];
  }

  static async start(): Promise<ServedNodes> {
    const folder = mkdtempSync(join(tmpdir(), "vedette-clients-"));
    const [made, read, waited] = ["validator", "reader", "patient"].map((name) => join(folder, name));
    const first = await startValidator(folder, made!);
    const chain = await makeBlocks(first);
    await first.stop();
    cpSync(made!, waited!, { recursive: true });
    cpSync(made!, read!, { recursive: true });
    await extendChain(read!, tailBlocks);
    const nodes = await Promise.all([
      startValidator(folder, made!),
      startReader(read!),
      startReader(waited!, ["--api-permit-keep-alive-time=7s"]),
    ]);
    return new ServedNodes(folder, chain, nodes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const nodes = [this.validator, this.reader, this.patient];
    for (const node of nodes) await node[Symbol.asyncDispose]();
    await processEvidence.dismiss([], async () => {
      await Promise.all(nodes.map((node) => node.stop()));
      rmSync(this.folder, { recursive: true, force: true });
    });
  }
}

/** A deploy of the only user that has coins. */
export function userDeploy(term: string, timestamp: number): Deploy {
  const request = { term, timestamp: BigInt(timestamp), validAfterBlockNumber: -1n, phloLimit: 1_000_000n };
  return buildDeploy(request, deployKeyOf(user.privateKey));
}

/** The validator's public key. */
export const validatorKey = validator.publicKey;

async function startValidator(folder: string, dataDir: string): Promise<NodeProcess> {
  mkdirSync(dataDir, { recursive: true });
  const files = {
    key: join(folder, "key.txt"),
    bonds: join(folder, "bonds.txt"),
    wallets: join(folder, "wallets.txt"),
  };
  writeFileSync(files.key, toHex(validator.privateKey), { mode: 0o600 });
  writeFileSync(files.bonds, `${toHex(validator.publicKey)} 1000\n`);
  writeFileSync(files.wallets, `${addressOfKey({ algorithm: "secp256k1", ...user })},1000000000000\n`);
  return startNode(dataDir, [
    `--validator-private-key-path=${files.key}`,
    `--bonds-file=${files.bonds}`,
    `--wallets-file=${files.wallets}`,
    "--synchrony-constraint-threshold=0",
  ]);
}

function startReader(dataDir: string, more: readonly string[] = []): Promise<NodeProcess> {
  return startNode(dataDir, ["--api-enable-reporting", `--api-max-blocks-limit=${tailBlocks}`, ...more]);
}

async function startNode(dataDir: string, more: readonly string[]): Promise<NodeProcess> {
  const args = ["--standalone", "--min-phlo-price=1", ...more];
  const node = new NodeProcess({ dataDir, ports: await freePorts(), networkId: "clients", args });
  await node.line(/HTTP API server started/);
  const log = () => node.lines.join("\n");
  const ready = async () => {
    if (!node.isRunning) throw new Error(`a node has ended before it was ready:\n${log()}`);
    return isReady(node);
  };
  await until("a node to be ready", ready, { state: log });
  return node;
}

async function isReady({ ports }: NodeProcess): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${ports.http}/health/ready`)).ok;
}

/** Puts something to read into the chain. */
async function makeBlocks(node: NodeProcess): Promise<ServedChain> {
  using client = new NodeClient({ host: "127.0.0.1", port: node.ports.grpcInternal, timeoutMs: patienceMs() });
  let timestamp = Date.now();
  const block = async (...terms: readonly string[]) => {
    const deploys: string[] = [];
    for (const term of terms) deploys.push(await client.deploy(userDeploy(term, timestamp++)));
    const reply = await client.propose({ timeoutMs: patienceMs() });
    const hash = /[0-9a-f]{64}/.exec(reply)?.[0];
    if (hash === undefined) throw new Error(`there is no block: ${reply}`);
    return { deploys, hash };
  };
  const greeting = await block(`@"greeting"!("hello") | for (@x, @y <- @"waiting") { @"received"!([x, y]) }`);
  const large = `Nil // ${"x".repeat(largeBytes)}`;
  const oneLarge = await block(large);
  const twoLarge = await block(large, large);
  // So that the last finalized block is a small one.
  await block(`@"last"!(1)`);
  return {
    deploys: { greeting: greeting.deploys[0]! },
    blocks: { greeting: greeting.hash, large: twoLarge.hash, oneLarge: oneLarge.hash },
  };
}
