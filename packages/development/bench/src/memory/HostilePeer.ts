import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectTls } from "node:tls";
import { create, toBinary } from "@bufbuild/protobuf";
import { createNodeCertificate, fromHex, type NodeCertificate, toHex } from "@vedette/crypto";
import { Network, type Peer, peerOfUri } from "@vedette/network";
import {
  type Block,
  ChunkSchema,
  encodeBlock,
  encodePacket,
  ProtocolSchema,
  RoutingNodeSchema,
  rnode,
  TLRequestSchema,
} from "@vedette/protocol";
import type { Flood } from "./Flood.js";

/** A message as it travels: in one piece, or in chunks. */
interface Message {
  readonly path: "/routing.TransportLayer/Send" | "/routing.TransportLayer/Stream";
  readonly pieces: readonly Uint8Array[];
}

const chunkBytes = 200_000;
const connectedMs = 30_000;
const pollMs = 50;

/** A peer that completes the handshake and then sends unreadable messages. */
export class HostilePeer implements AsyncDisposable {
  readonly #target: Peer;
  readonly #certificate: NodeCertificate = createNodeCertificate(Date.now());
  readonly #networkId: string;
  readonly #network: Network;
  #session: ClientHttp2Session | undefined;
  #seed = 1;

  /** @param uri the `rnode://` address of the node */
  constructor(uri: string, networkId: string) {
    this.#target = peerOfUri(uri);
    this.#networkId = networkId;
    const { certificatePem, privateKeyPem, nodeId } = this.#certificate;
    this.#network = new Network({
      ...{ certificate: certificatePem, privateKey: privateKeyPem, networkId, dialect: rnode },
      local: { id: toHex(nodeId), host: "127.0.0.1", protocolPort: 0, discoveryPort: 0 },
      ...{ bootstrap: this.#target, bindHost: "127.0.0.1", allowPrivateAddresses: true },
      ...{ nowMs: () => performance.now(), emit: () => undefined },
    });
  }

  /** Becomes a peer of the node. */
  async join(): Promise<void> {
    await this.#network.start(async () => undefined);
    const giveUpMs = performance.now() + connectedMs;
    while (!this.#network.peers.some(({ id }) => id === this.#target.id)) {
      if (performance.now() > giveUpMs) throw new Error("the node does not take part in a handshake");
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  /** Sends mutations of valid messages, several at once. @param blocks blocks that some of the messages hold */
  async sendMutations(blocks: readonly Block[], { count, atOnce }: Flood): Promise<void> {
    const good = this.#goodMessages(blocks);
    let begun = 0;
    const sender = async () => {
      while (begun < count) {
        const { path, pieces } = good[begun % good.length]!;
        begun += 1;
        await this.#send(path, this.#mutated(pieces));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sender));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#session?.destroy();
    await this.#network[Symbol.asyncDispose]();
  }

  #goodMessages(blocks: readonly Block[]): Message[] {
    const newest = blocks.at(-1)!;
    const { hash, sender: blockCreator } = newest;
    const startPath = [{ hash: newest.body.state.postStateHash, index: undefined }];
    return [
      this.#sendOf("BlockHashMessage", encodePacket("BlockHashMessage", { hash, blockCreator })),
      this.#sendOf("HasBlockRequest", encodePacket("HasBlockRequest", { hash })),
      this.#sendOf("HasBlock", encodePacket("HasBlock", { hash })),
      this.#sendOf("BlockRequest", encodePacket("BlockRequest", { hash })),
      this.#sendOf(
        "StoreItemsMessageRequest",
        encodePacket("StoreItemsMessageRequest", { startPath, skip: 0, take: 750 }, rnode.packetForm),
      ),
      ...blocks.map((block) => this.#streamOf("BlockMessage", encodeBlock(block))),
    ];
  }

  get #self() {
    const { protocolPort: tcpPort, discoveryPort: udpPort, id } = this.#network.local;
    return create(RoutingNodeSchema, { id: fromHex(id), host: Buffer.from("127.0.0.1"), tcpPort, udpPort });
  }

  #sendOf(typeId: string, content: Uint8Array): Message {
    const header = { sender: this.#self, networkId: this.#networkId };
    const protocol = create(ProtocolSchema, { header, message: { case: "packet", value: { typeId, content } } });
    const bytes = toBinary(TLRequestSchema, create(TLRequestSchema, { protocol }));
    return { path: "/routing.TransportLayer/Send", pieces: [bytes] };
  }

  #streamOf(typeId: string, content: Uint8Array): Message {
    const value = { sender: this.#self, typeId, networkId: this.#networkId, contentLength: content.length };
    const pieces = [toBinary(ChunkSchema, create(ChunkSchema, { content: { case: "header", value } }))];
    for (let from = 0; from < content.length; from += chunkBytes) {
      const data = { contentData: content.subarray(from, from + chunkBytes) };
      pieces.push(toBinary(ChunkSchema, create(ChunkSchema, { content: { case: "data", value: data } })));
    }
    return { path: "/routing.TransportLayer/Stream", pieces };
  }

  /** Changes a byte, or cuts the end off; in streams now and then the header's. */
  #mutated(pieces: readonly Uint8Array[]): readonly Uint8Array[] {
    const at = pieces.length === 1 || this.#random(8) === 0 ? 0 : 1 + this.#random(pieces.length - 1);
    return pieces.map((piece, index) => {
      if (index !== at) return piece;
      if (this.#random(4) === 0) return piece.subarray(0, this.#random(piece.length));
      const mutated = piece.slice();
      mutated[this.#random(piece.length)] = this.#random(256);
      return mutated;
    });
  }

  #random(below: number): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#seed / 2 ** 32) * below);
  }

  #send(path: string, pieces: readonly Uint8Array[]): Promise<void> {
    const headers = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
    return new Promise((resolve) => {
      const call = this.#connection().request(headers);
      call.on("error", () => undefined);
      call.once("close", resolve);
      call.resume();
      for (const piece of pieces) call.write(framed(piece));
      call.end();
    });
  }

  /** The node may end a connection: then it gets another one. */
  #connection(): ClientHttp2Session {
    if (this.#session !== undefined && !this.#session.closed && !this.#session.destroyed) return this.#session;
    const { host, protocolPort: port, id } = this.#target;
    const { certificatePem: cert, privateKeyPem: key } = this.#certificate;
    const session = connect(`https://${id}`, {
      createConnection: () =>
        connectTls({ host, port, servername: id, cert, key, ALPNProtocols: ["h2"], rejectUnauthorized: false }),
    });
    session.on("error", () => undefined);
    this.#session = session;
    return session;
  }
}

/** A message with the five bytes that gRPC puts before it. */
function framed(message: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(5 + message.length);
  new DataView(bytes.buffer).setUint32(1, message.length);
  bytes.set(message, 5);
  return bytes;
}
