import { errorText } from "@vedette/errors";
import { findPacketType, type PacketCodec, packetTypes } from "@vedette/protocol";
import {
  defaultExtensionLimits,
  type ExtensionHandler,
  type ExtensionLimits,
  ExtensionServer,
} from "../extension/ExtensionServer.js";
import { GrpcError } from "../grpc/GrpcError.js";
import {
  defaultServerLimits,
  type GrpcServerLimits,
  type PeerConnectionCounts,
  PeerGrpcServer,
} from "../grpc/PeerGrpcServer.js";
import { type GrpcCall, type GrpcMethod, onlyMessage } from "../grpc/serveCall.js";
import type { EmitNetworkEvent } from "../NetworkEvent.js";
import type { Peer } from "../Peer.js";
import { receiveStream } from "../stream/receiveStream.js";
import { checkRequest } from "./checkRequest.js";
import { DuplicateFilter } from "./DuplicateFilter.js";
import { InboundQueue } from "./InboundQueue.js";
import { MemoryBudget } from "./MemoryBudget.js";
import type { TransportDialect } from "./peerMessage.js";
import { decodeRequest, encodeAck, encodeInternalServerError, type PeerMessage } from "./peerMessage.js";
import { certifiedPeerOf } from "./verifyPeer.js";

/** Bounds of what peers may send. @spec 10 §3.4, §3.6, §7 */
export interface InboundLimits {
  /** One gRPC message (`grpc-max-recv-message-size`). */
  readonly maxMessageBytes: number;
  /** One stream (`grpc-max-recv-stream-message-size`). Types of packets have lower bounds, a block 64 MiB. @spec 40 §4.9 */
  readonly maxStreamBytes: number;
  /** Handled at the same time, per peer and queue (`max-message-consumers`). */
  readonly maxMessageConsumers: number;
  readonly messageQueueLength: number;
  readonly streamQueueLength: number;
  /** All that waits or is being received, of all peers together. */
  readonly memoryBytes: number;
  /** The same of one peer. */
  readonly memoryBytesPerPeer: number;
  readonly maxPeers: number;
  /** A stream that pauses longer is broken off. */
  readonly streamIdleMs: number;
  readonly streamDeadlineMs: number;
}

/** rnode's limits, with bounds on memory that it lacks. @spec 10 §3.4, §3.6, §7 */
export const defaultInboundLimits: InboundLimits = {
  maxMessageBytes: 262_144,
  maxStreamBytes: 268_435_456,
  maxMessageConsumers: 400,
  messageQueueLength: 64,
  streamQueueLength: 8,
  memoryBytes: 100_663_296,
  memoryBytesPerPeer: 67_108_864,
  maxPeers: 1024,
  streamIdleMs: 20_000,
  streamDeadlineMs: 600_000,
};

/** How a transport server is made. @spec 10 §3 */
export interface TransportServerOptions {
  readonly certificate: string;
  readonly privateKey: string;
  readonly networkId: string;
  readonly dialect: TransportDialect;
  /** Own node as it is announced; it may change its address while running. */
  readonly local: () => Peer;
  /** Handles a message; it may take any time, and holds its place meanwhile. */
  readonly handle: (sender: Peer, message: PeerMessage) => Promise<void>;
  readonly emit: EmitNetworkEvent;
  readonly nowMs: () => number;
  readonly limits?: Partial<InboundLimits> | undefined;
  readonly serverLimits?: Partial<GrpcServerLimits> | undefined;
  readonly extensionLimits?: Partial<ExtensionLimits>;
  /** Announced to peers. @spec 10 §3.7 */
  readonly version?: string | undefined;
}

interface Inbound {
  readonly sender: Peer;
  readonly message: PeerMessage;
  readonly bytes: number;
}

interface PeerQueues {
  readonly messages: InboundQueue<Inbound>;
  readonly streams: InboundQueue<Inbound>;
}

/**
 * Receives what peers send: checks it, queues it per peer, acknowledges it, and has it handled.
 *
 * @spec 10 §3
 */
export class TransportServer implements AsyncDisposable {
  readonly #options: TransportServerOptions;
  readonly #limits: InboundLimits;
  readonly #server: PeerGrpcServer<string>;
  readonly #budget: MemoryBudget;
  readonly #filter: DuplicateFilter;
  readonly #queues = new Map<string, PeerQueues>();
  readonly #receivingNow = new Map<string, number>();
  readonly #extensions: ExtensionServer;

  constructor(options: TransportServerOptions) {
    this.#options = options;
    const { minTlsVersion, commonNameAlwaysCounts, inboundMessages, inboundStreams } = options.dialect.transport;
    const ofDialect = { messageQueueLength: inboundMessages, streamQueueLength: inboundStreams };
    this.#limits = { ...defaultInboundLimits, ...ofDialect, ...options.limits };
    this.#budget = new MemoryBudget(this.#limits.memoryBytes, this.#limits.memoryBytesPerPeer);
    this.#filter = new DuplicateFilter(options.nowMs);
    this.#extensions = new ExtensionServer({ ...defaultExtensionLimits, ...options.extensionLimits }, options.version);
    this.#server = new PeerGrpcServer<string>({
      methods: { get: (path) => this.#methodOf(path) },
      tls: { certificate: options.certificate, privateKey: options.privateKey, leastVersion: minTlsVersion },
      identify: (socket) => {
        const peer = certifiedPeerOf(socket, commonNameAlwaysCounts);
        if ("id" in peer) return peer.id;
        options.emit({ type: "callRefused", method: "TLS", peerId: "", reason: peer.problem });
        return undefined;
      },
      limits: { ...defaultServerLimits, ...options.serverLimits },
    });
  }

  /** Bytes of peers' messages that are in memory now. */
  get memoryBytes(): number {
    return this.#budget.taken;
  }

  /** Returns the counts of its connections by state. */
  get connections(): PeerConnectionCounts {
    return this.#server.connections;
  }

  /** @returns the port; @throws {NetworkError} `portInUse`, `cannotListen` @spec 10 §6 */
  listen(port: number, host?: string): Promise<number> {
    return this.#server.listen(port, host);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  /** Registers the handler of an extension; announced to peers from the next answer on. @spec 10 §3.7 */
  answer(name: string, answer: ExtensionHandler): void {
    this.#extensions.answer(name, answer);
  }

  #methodOf(path: string): GrpcMethod<string> | undefined {
    if (path === "/routing.TransportLayer/Send") return this.#sendMethod();
    if (path === "/routing.TransportLayer/Stream") return this.#streamMethod();
    return this.#extensions.method(path);
  }

  #sendMethod(): GrpcMethod<string> {
    return {
      headers: this.#extensions.headers,
      maxMessageBytes: this.#limits.maxMessageBytes,
      idleMs: 10_000,
      deadlineMs: 10_000,
      handle: (call) => this.#reporting("Send", call, () => this.#send(call)),
    };
  }

  #streamMethod(): GrpcMethod<string> {
    return {
      headers: this.#extensions.headers,
      maxMessageBytes: this.#limits.maxMessageBytes,
      idleMs: this.#limits.streamIdleMs,
      deadlineMs: this.#limits.streamDeadlineMs,
      handle: (call) => this.#reporting("Stream", call, () => this.#stream(call)),
    };
  }

  async #reporting(method: string, call: GrpcCall<string>, work: () => Promise<Uint8Array>): Promise<Uint8Array> {
    try {
      return await work();
    } catch (error) {
      const reason = error instanceof GrpcError ? error.description : String(error);
      this.#options.emit({ type: "callRefused", method, peerId: call.caller, reason });
      throw error;
    }
  }

  async #send(call: GrpcCall<string>): Promise<Uint8Array> {
    const { networkId, local } = this.#options;
    const bytes = await onlyMessage(call.messages);
    const received = decodeRequest(bytes);
    const { sender, message } = checkRequest(received, call.caller, networkId);
    const ack = () => encodeAck(local(), networkId);
    if (message.type === "packet" && received.tagged !== undefined) {
      if (this.#filter.isRepeat(message.typeId, received.tagged)) return ack();
    }
    const queues = this.#queuesOf(sender);
    const inbound = { sender, message, bytes: bytes.length };
    if (queues === undefined || !this.#enqueue(queues.messages, inbound)) {
      return this.#drop(sender, kindOf(message), `Packet dropped, ${sender.host} packet queue overflown.`);
    }
    this.#options.emit({ type: "messageReceived", peer: sender, kind: kindOf(message), bytes: bytes.length });
    return ack();
  }

  #enqueue(queue: InboundQueue<Inbound>, inbound: Inbound): boolean {
    if (!this.#budget.tryTake(inbound.sender.id, inbound.bytes)) return false;
    if (queue.offer(inbound)) return true;
    this.#budget.giveBack(inbound.sender.id, inbound.bytes);
    return false;
  }

  async #stream(call: GrpcCall<string>): Promise<Uint8Array> {
    const { networkId, local, dialect } = this.#options;
    const id = call.caller;
    const open = this.#receiving(id);
    if (open === undefined) return encodeInternalServerError("Stream chunk dropped, too many streams at once.");
    let held = 0;
    const takeMemory = (bytes: number) => {
      if (!this.#budget.tryTake(id, bytes)) return false;
      held += bytes;
      return true;
    };
    try {
      const outcome = await receiveStream(call.messages, {
        networkId,
        certifiedId: id,
        maxBytes: this.#limits.maxStreamBytes,
        maxBytesOf: (typeId) => maxContentBytes(typeId, dialect.packetForm),
        compressedStreamsHaveLength: dialect.compressedStreamsHaveLength,
        takeMemory,
      });
      if ("refusal" in outcome) {
        this.#options.emit({ type: "callRefused", method: "Stream", peerId: id, reason: outcome.refusal });
        return encodeInternalServerError(outcome.refusal);
      }
      const { sender, typeId, content } = outcome;
      const queues = this.#queuesOf(sender);
      const inbound: Inbound = { sender, message: { type: "packet", typeId, content }, bytes: content.length };
      this.#budget.giveBack(id, held);
      held = 0;
      if (queues === undefined || !this.#enqueue(queues.streams, inbound)) {
        return this.#drop(sender, typeId, `Stream chunk dropped, ${sender.host} stream queue overflown.`);
      }
      this.#options.emit({ type: "streamReceived", peer: sender, typeId, bytes: content.length });
      return encodeAck(local(), networkId);
    } finally {
      this.#budget.giveBack(id, held);
      open[Symbol.dispose]();
    }
  }

  /** Counts the streams of a peer that are being received. */
  #receiving(id: string): Disposable | undefined {
    const now = this.#receivingNow.get(id) ?? 0;
    if (now >= this.#limits.streamQueueLength) return undefined;
    this.#receivingNow.set(id, now + 1);
    return {
      [Symbol.dispose]: () => {
        const left = (this.#receivingNow.get(id) ?? 1) - 1;
        if (left > 0) this.#receivingNow.set(id, left);
        else this.#receivingNow.delete(id);
      },
    };
  }

  #drop(peer: Peer, kind: string, text: string): Uint8Array {
    this.#options.emit({ type: "packetDropped", peer, kind, reason: text });
    return encodeInternalServerError(text);
  }

  #queuesOf(sender: Peer): PeerQueues | undefined {
    const known = this.#queues.get(sender.id);
    if (known !== undefined) {
      this.#queues.delete(sender.id);
      this.#queues.set(sender.id, known);
      return known;
    }
    if (this.#queues.size >= this.#limits.maxPeers && !this.#evictIdle()) return undefined;
    const { messageQueueLength, streamQueueLength, maxMessageConsumers } = this.#limits;
    const handle = (inbound: Inbound) => this.#handle(inbound);
    const made: PeerQueues = {
      messages: new InboundQueue(messageQueueLength, maxMessageConsumers, handle),
      streams: new InboundQueue(streamQueueLength, maxMessageConsumers, handle),
    };
    this.#queues.set(sender.id, made);
    this.#options.emit({ type: "inboundQueueCreated", peer: sender });
    return made;
  }

  /** Forgets the queues of the peer that has been silent longest. */
  #evictIdle(): boolean {
    for (const [id, queues] of this.#queues) {
      if (!queues.messages.idle || !queues.streams.idle) continue;
      this.#queues.delete(id);
      return true;
    }
    return false;
  }

  async #handle({ sender, message, bytes }: Inbound): Promise<void> {
    try {
      await this.#options.handle(sender, message);
    } catch (error) {
      const reason = errorText(error);
      this.#options.emit({ type: "handlerFailed", peer: sender, kind: kindOf(message), reason });
    } finally {
      this.#budget.giveBack(sender.id, bytes);
    }
  }
}

/** A type that no handler understands needs no room. @spec 10 §4.1 */
function maxContentBytes(typeId: string, form: PacketCodec): number {
  const type = findPacketType(typeId, form);
  return type === undefined ? unknownTypeBytes : packetTypes[type].maxContentBytes;
}

const unknownTypeBytes = 4096;

function kindOf(message: PeerMessage): string {
  return message.type === "packet" ? message.typeId.slice(0, 64) : message.type;
}
