import { randomBytes } from "node:crypto";
import type { NodeProcess } from "@vedette/cli/testing";
import { blake2b256, createNodeCertificate, toHex } from "@vedette/crypto";
import { Network, type Peer, peerOfUri } from "@vedette/network";
import { testKey } from "@vedette/node/testing";
import {
  type Block,
  type BlockFields,
  blockSignerOf,
  type Dialect,
  decodeBlock,
  decodePacket,
  encodeBlock,
  encodePacket,
  f1r3node,
  type PacketContents,
  type PacketType,
  rnode,
  signBlock,
} from "@vedette/protocol";
import { patienceMs } from "@vedette/testing";
import type { RecordedNetwork } from "./recordedNetwork.js";

/** A signer of blocks. */
export type Signer = ReturnType<typeof blockSignerOf>;

/** The key of a test user or validator. It guards nothing. */
export const signerOf = (name: string): Signer => blockSignerOf(testKey(name).privateKey);

/** Signs a changed block, with its hash made right: by the dialect of its form. */
export function signedAs(fields: BlockFields, signer: Signer): Block {
  const dialect = [rnode, f1r3node].find(({ blockForm }) => blockForm === fields.form) ?? rnode;
  return signBlock(fields, signer, dialect);
}

/** Random bytes, as hashes or keys that no node knows. */
export function randomHashes(count: number, bytes = 32): Uint8Array[] {
  return Array.from({ length: count }, () => Uint8Array.from(randomBytes(bytes)));
}

/** A node that a peer calls: its address and its log. */
type CalledNode = Pick<NodeProcess, "address" | "lines">;

/** A peer with a new certificate that announces blocks and sends them on request. */
export class HostilePeer implements AsyncDisposable {
  readonly #network: Network;
  readonly #target: CalledNode;
  readonly #peer: Peer;
  readonly #dialect: Dialect;
  readonly #blocks = new Map<string, Uint8Array>();
  /** Blocks that it has requested. */
  readonly #wanted = new Map<string, (bytes: Uint8Array) => void>();
  /** Questions for blocks that it does not have: hashes in hex. */
  readonly asked: string[] = [];

  private constructor(network: Network, target: CalledNode, peer: Peer, dialect: Dialect) {
    this.#network = network;
    this.#peer = peer;
    this.#target = target;
    this.#dialect = dialect;
  }

  /** Connects to a node of a recorded network. @param dialect that it speaks, which may be another one */
  static async connect(
    target: CalledNode,
    { networkId, dialect: own }: Pick<RecordedNetwork, "networkId" | "dialect">,
    dialect = own,
  ): Promise<HostilePeer> {
    const { nodeId, certificatePem: certificate, privateKeyPem: privateKey } = createNodeCertificate(Date.now());
    const bootstrap = peerOfUri(await target.address())!;
    const network = new Network({
      ...{ certificate, privateKey, networkId, dialect, nowMs: Date.now, emit: () => undefined },
      local: { id: toHex(nodeId), host: "127.0.0.1", protocolPort: 0, discoveryPort: 0 },
      bootstrap,
      bindHost: "127.0.0.1",
      allowPrivateAddresses: true,
      discoveryIntervalMs: 500,
      outbound: { sendDeadlineMs: patienceMs() },
    });
    const peer = new HostilePeer(network, target, bootstrap, dialect);
    await network.start((_, typeId, content) => peer.#answer(typeId, content));
    await network.firstConnection();
    return peer;
  }

  /** Announces a block. @returns how many lines the node's log had before */
  async announce(block: Block, bytes = encodeBlock(block)): Promise<number> {
    const before = this.#target.lines.length;
    this.#blocks.set(toHex(block.hash), bytes);
    await this.send("BlockHashMessage", { hash: block.hash, blockCreator: block.sender });
    return before;
  }

  /** Sends any packet. */
  async send<Type extends PacketType>(type: Type, message: PacketContents[Type]): Promise<void> {
    await this.#network.send(this.#peer, type, encodePacket(type, message, this.#dialect.packetForm));
  }

  /** Requests a block that the node has. */
  async fetch(hash: Uint8Array): Promise<Uint8Array> {
    const answer = new Promise<Uint8Array>((resolve) => this.#wanted.set(toHex(hash), resolve));
    await this.send("BlockRequest", { hash });
    return answer;
  }

  async #answer(typeId: string, content: Uint8Array): Promise<void> {
    if (typeId === "BlockMessage") {
      const { hash } = decodeBlock(content, this.#dialect.blockForm);
      this.#wanted.get(toHex(hash))?.(content);
    }
    if (typeId !== "BlockRequest" && typeId !== "HasBlockRequest") return;
    const { hash } = decodePacket(typeId, content, rnode.packetForm).message as { readonly hash: Uint8Array };
    const bytes = this.#blocks.get(toHex(hash));
    if (bytes === undefined) this.asked.push(toHex(hash));
    else if (typeId === "BlockRequest") this.#network.stream(this.#peer, "BlockMessage", () => bytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#network[Symbol.asyncDispose]();
  }
}

/** Hashes a text. */
export const hashOfText = (text: string): Uint8Array => blake2b256(new TextEncoder().encode(text));
