import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeProcess } from "@vedette/cli/testing";
import { blake2b256, createNodeCertificate, toHex } from "@vedette/crypto";
import { Network, type Peer, peerOfUri } from "@vedette/network";
import { testKey } from "@vedette/node/testing";
import {
  type Block,
  type BlockFields,
  blockSignerOf,
  decodeBlock,
  decodePacket,
  encodeBlock,
  encodePacket,
  rnodeScala,
  signBlock,
} from "@vedette/protocol";
import { chainsDirectory } from "@vedette/testing";

/** Whoever signs a block. */
export type Signer = ReturnType<typeof blockSignerOf>;

/** The key of a test user or validator. It guards nothing. */
export const signerOf = (name: string): Signer => blockSignerOf(testKey(name).privateKey);

/** Signs a changed block, with its hash made right. */
export function signedAs(fields: BlockFields, signer: Signer): Block {
  return signBlock(fields, signer, rnodeScala);
}

/** Hashes, or keys, that nobody has. */
export function madeUp(count: number, bytes = 32): Uint8Array[] {
  return Array.from({ length: count }, () => Uint8Array.from(randomBytes(bytes)));
}

/** A peer with a certificate of its own that announces blocks, and gives them when it is asked. */
export class HostilePeer implements AsyncDisposable {
  readonly #network: Network;
  readonly #target: NodeProcess;
  readonly #peer: Peer;
  readonly #blocks = new Map<string, Uint8Array>();
  /** Blocks that it has asked for. */
  readonly #wanted = new Map<string, (bytes: Uint8Array) => void>();
  /** Questions for blocks that it does not have: hashes in hex. */
  readonly asked: string[] = [];

  private constructor(network: Network, target: NodeProcess, peer: Peer) {
    this.#network = network;
    this.#peer = peer;
    this.#target = target;
  }

  /** Connects to a node of a recorded network. */
  static async connect(target: NodeProcess, chain: string): Promise<HostilePeer> {
    const { networkId } = JSON.parse(readFileSync(join(chainsDirectory()!, chain, "network.json"), "utf8"));
    const { nodeId, certificatePem: certificate, privateKeyPem: privateKey } = createNodeCertificate(Date.now());
    const bootstrap = peerOfUri(await target.address())!;
    const network = new Network({
      ...{ certificate, privateKey, networkId, dialect: rnodeScala, nowMs: Date.now, emit: () => undefined },
      local: { id: toHex(nodeId), host: "127.0.0.1", protocolPort: 0, discoveryPort: 0 },
      bootstrap,
      bindHost: "127.0.0.1",
      allowPrivateAddresses: true,
      discoveryIntervalMs: 500,
      outbound: { sendDeadlineMs: 30_000 },
    });
    const peer = new HostilePeer(network, target, bootstrap);
    await network.start((_, typeId, content) => peer.#answer(typeId, content));
    await network.firstConnection();
    return peer;
  }

  /** Announces a block. @returns how many lines the node's log had before */
  async announce(block: Block, bytes = encodeBlock(block)): Promise<number> {
    const before = this.#target.lines.length;
    this.#blocks.set(toHex(block.hash), bytes);
    const content = encodePacket("BlockHashMessage", { hash: block.hash, blockCreator: block.sender });
    await this.#network.send(this.#peer, "BlockHashMessage", content);
    return before;
  }

  /** Asks for a block that the node has. */
  async fetch(hash: Uint8Array): Promise<Uint8Array> {
    const answer = new Promise<Uint8Array>((resolve) => this.#wanted.set(toHex(hash), resolve));
    await this.#network.send(this.#peer, "BlockRequest", encodePacket("BlockRequest", { hash }));
    return answer;
  }

  async #answer(typeId: string, content: Uint8Array): Promise<void> {
    if (typeId === "BlockMessage") this.#wanted.get(toHex(decodeBlock(content).hash))?.(content);
    if (typeId !== "BlockRequest" && typeId !== "HasBlockRequest") return;
    const { hash } = decodePacket(typeId, content).message as { readonly hash: Uint8Array };
    const bytes = this.#blocks.get(toHex(hash));
    if (bytes === undefined) this.asked.push(toHex(hash));
    else if (typeId === "BlockRequest") this.#network.stream(this.#peer, "BlockMessage", () => bytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#network[Symbol.asyncDispose]();
  }
}

/** A hash that a text stands for. */
export const hashOfText = (text: string): Uint8Array => blake2b256(new TextEncoder().encode(text));
