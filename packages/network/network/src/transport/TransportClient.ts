import type { ClientHttp2Session } from "node:http2";
import tls from "node:tls";
import { errorText } from "@vedette/errors";
import {
  extensionPath,
  extensionsHeader,
  readExtensions,
  readVersion,
  versionHeader,
} from "../extension/ExtensionServer.js";
import { callGrpc, type GrpcRequest } from "../grpc/callGrpc.js";
import { GrpcError, grpcStatus } from "../grpc/GrpcError.js";
import { NetworkError } from "../NetworkError.js";
import type { EmitNetworkEvent } from "../NetworkEvent.js";
import { type Peer, peerKey, peerUri } from "../Peer.js";
import { chunksOf, streamDeadlineMs } from "../stream/sendStream.js";
import { checkAnswer } from "./checkRequest.js";
import { PeerChannel } from "./PeerChannel.js";
import type { TransportDialect } from "./peerMessage.js";
import { decodeAnswer, encodeRequest, type PeerMessage } from "./peerMessage.js";

/** Bounds of what we send. @spec 10 §3.5, §3.6, §7 */
export interface OutboundLimits {
  readonly sendDeadlineMs: number;
  /** The base time for a stream, besides the time for its size. */
  readonly streamBaseMs: number;
  readonly connectMs: number;
  readonly idleMs: number;
  readonly maxAnswerBytes: number;
  /** `grpc-stream-chunk-size`. */
  readonly streamChunkBytes: number;
  readonly streamQueueLength: number;
  readonly maxSendsPerPeer: number;
  readonly maxChannels: number;
}

/** rnode's limits, and bounds that it lacks. @spec 10 §3.5, §3.6, §7 */
export const defaultOutboundLimits: OutboundLimits = {
  sendDeadlineMs: 5000,
  streamBaseMs: 15_000,
  connectMs: 5000,
  idleMs: 300_000,
  maxAnswerBytes: 262_144,
  streamChunkBytes: 262_144,
  streamQueueLength: 100,
  maxSendsPerPeer: 256,
  maxChannels: 256,
};

/** How a transport client is made. @spec 10 §3.5 */
export interface TransportClientOptions {
  readonly certificate: string;
  readonly privateKey: string;
  readonly networkId: string;
  readonly local: () => Peer;
  readonly dialect: TransportDialect;
  readonly emit: EmitNetworkEvent;
  readonly nowMs: () => number;
  readonly limits?: Partial<OutboundLimits> | undefined;
}

/** Content that is read when its turn comes, so that a full queue holds no blocks; `undefined` sends nothing. */
export type StreamContent = () => Uint8Array | undefined | Promise<Uint8Array | undefined>;

interface QueuedStream {
  readonly typeId: string;
  readonly content: StreamContent;
}

type PeerCall = Pick<GrpcRequest, "path" | "messages" | "deadlineMs" | "signal">;

/** A question that goes beyond the family's protocol. @spec 10 §3.7 */
export interface PeerExtensionRequest {
  readonly extension: string;
  readonly content: Uint8Array;
  readonly maxAnswerBytes: number;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal;
}

interface Outbound {
  readonly peer: Peer;
  readonly channel: PeerChannel;
  readonly streams: QueuedStream[];
  sends: number;
  streaming: boolean;
  /** The extensions that the peer announced with its last answer. */
  extensions: ReadonlySet<string>;
  /** The version that it announced. */
  version: string | undefined;
}

const noExtensions: ReadonlySet<string> = new Set();

/**
 * Sends to peers, over one channel per peer.
 *
 * @spec 10 §3.5, §3.6
 */
export class TransportClient implements Disposable {
  readonly #options: TransportClientOptions;
  readonly #limits: OutboundLimits;
  readonly #secureContext: tls.SecureContext;
  readonly #outbound = new Map<string, Outbound>();
  readonly #ended = new AbortController();

  constructor(options: TransportClientOptions) {
    this.#options = options;
    this.#limits = { ...defaultOutboundLimits, ...options.limits };
    const { certificate: cert, privateKey: key, dialect } = options;
    this.#secureContext = tls.createSecureContext({ cert, key, minVersion: dialect.transport.minTlsVersion });
  }

  /**
   * Sends one message and waits until the peer has taken it.
   *
   * @spec 10 §3.5
   * @throws {NetworkError}
   */
  async send(peer: Peer, message: PeerMessage, signal?: AbortSignal): Promise<void> {
    const { networkId, local, emit } = this.#options;
    const outbound = this.#outboundOf(peer);
    if (outbound.sends >= this.#limits.maxSendsPerPeer) {
      throw new NetworkError({ code: "queueFull", peer: peerUri(peer), limit: this.#limits.maxSendsPerPeer });
    }
    outbound.sends++;
    try {
      const bytes = encodeRequest(local(), networkId, message);
      const isAnswer = message.type === "handshakeResponse";
      const session = await outbound.channel.session(isAnswer);
      const call = { path: "/routing.TransportLayer/Send", messages: [bytes], deadlineMs: this.#limits.sendDeadlineMs };
      await this.#call(outbound, session, { ...call, signal });
      const kind = message.type === "packet" ? message.typeId : message.type;
      emit({ type: "messageSent", peer, kind, bytes: bytes.length });
    } finally {
      outbound.sends--;
    }
  }

  /**
   * Queues content to be streamed to a peer, after what is queued for it already; never retried.
   *
   * @spec 10 §3.6
   * @returns whether there was room
   */
  stream(peer: Peer, typeId: string, content: StreamContent): boolean {
    const outbound = this.#outboundOf(peer);
    if (outbound.streams.length >= this.#limits.streamQueueLength) {
      this.#options.emit({ type: "outboundStreamDropped", peer, limit: this.#limits.streamQueueLength });
      return false;
    }
    outbound.streams.push({ typeId, content });
    if (!outbound.streaming) {
      outbound.streaming = true;
      void this.#sendStreams(outbound);
    }
    return true;
  }

  /** Whether a peer has announced that it answers requests of an extension. @spec 10 §3.7 */
  understands(peer: Peer, extension: string): boolean {
    return this.#outbound.get(peerKey(peer))?.extensions.has(extension) === true;
  }

  /** Returns the version that a peer announced; `undefined` where it announced none. @spec 10 §3.7 */
  versionOf(peer: Peer): string | undefined {
    return this.#outbound.get(peerKey(peer))?.version;
  }

  /**
   * Sends a request to a peer, and waits for the answer.
   *
   * @spec 10 §3.7
   * @throws {NetworkError} `notUnderstood` if the peer has not announced that it answers such requests
   */
  async ask(peer: Peer, question: PeerExtensionRequest): Promise<Uint8Array> {
    const { extension, content, deadlineMs, maxAnswerBytes, signal } = question;
    const outbound = this.#outboundOf(peer);
    if (!outbound.extensions.has(extension))
      throw new NetworkError({ code: "notUnderstood", peer: peerUri(peer), extension });
    outbound.sends++;
    try {
      const session = await outbound.channel.session();
      const call = { path: extensionPath(extension), messages: [content], deadlineMs, maxAnswerBytes, signal };
      return await callGrpc(session, { ...call, scheme: "https", authority: peer.id });
    } catch (error) {
      throw error instanceof GrpcError ? failureOf(error, peer) : error;
    } finally {
      outbound.sends--;
    }
  }

  /** A peer has called in: what it is sent next is not refused because of an earlier failure. */
  calledBy(peer: Peer): void {
    this.#outbound.get(peerKey(peer))?.channel.calledIn();
  }

  /** Closes every channel; calls under way fail. */
  [Symbol.dispose](): void {
    this.#ended.abort();
    for (const outbound of this.#outbound.values()) {
      outbound.streams.length = 0;
      outbound.channel.close();
    }
    this.#outbound.clear();
  }

  async #sendStreams(outbound: Outbound): Promise<void> {
    for (let next = outbound.streams.shift(); next !== undefined; next = outbound.streams.shift()) {
      const { peer } = outbound;
      const { typeId } = next;
      try {
        const content = await next.content();
        if (content === undefined) continue;
        await this.#streamNow(outbound, typeId, content);
        this.#options.emit({ type: "streamSent", peer, typeId, bytes: content.length });
      } catch (error) {
        const reason = errorText(error);
        this.#options.emit({ type: "streamFailed", peer, typeId, reason });
      }
    }
    outbound.streaming = false;
  }

  async #streamNow(outbound: Outbound, typeId: string, content: Uint8Array): Promise<void> {
    const { networkId, local, dialect } = this.#options;
    const { compressedStreamsHaveLength } = dialect;
    const chunks = await chunksOf(
      { typeId, content },
      { local: local(), networkId, compressedStreamsHaveLength, chunkBytes: this.#limits.streamChunkBytes },
    );
    const session = await outbound.channel.session();
    const deadlineMs = streamDeadlineMs(content.length, this.#limits.streamBaseMs);
    await this.#call(outbound, session, { path: "/routing.TransportLayer/Stream", messages: chunks, deadlineMs });
  }

  async #call(outbound: Outbound, session: ClientHttp2Session, call: PeerCall): Promise<void> {
    const { peer } = outbound;
    const onHeaders: GrpcRequest["onHeaders"] = (headers) => {
      outbound.extensions = readExtensions(headers[extensionsHeader]);
      outbound.version = readVersion(headers[versionHeader]);
    };
    if (this.#ended.signal.aborted) throw new NetworkError({ code: "closed" });
    try {
      const { maxAnswerBytes } = this.#limits;
      const answer = decodeAnswer(
        await callGrpc(session, { ...call, scheme: "https", authority: peer.id, maxAnswerBytes, onHeaders }),
      );
      checkAnswer(answer, peer.id, this.#options.networkId);
      if (answer.type === "internalServerError") throw new NetworkError({ code: "internalAnswer", text: answer.text });
    } catch (error) {
      throw error instanceof GrpcError ? failureOf(error, peer) : error;
    }
  }

  #outboundOf(peer: Peer): Outbound {
    if (this.#ended.signal.aborted) throw new NetworkError({ code: "closed" });
    const key = peerKey(peer);
    const known = this.#outbound.get(key);
    if (known !== undefined) {
      this.#outbound.delete(key);
      this.#outbound.set(key, known);
      return known;
    }
    if (this.#outbound.size >= this.#limits.maxChannels) this.#closeIdle();
    const { connectMs, idleMs } = this.#limits;
    const channel = new PeerChannel(peer, {
      secureContext: this.#secureContext,
      commonNameAlwaysCounts: this.#options.dialect.transport.commonNameAlwaysCounts,
      connectMs,
      idleMs,
      nowMs: this.#options.nowMs,
    });
    const made: Outbound = {
      ...{ peer, channel, streams: [], sends: 0, streaming: false },
      ...{ extensions: noExtensions, version: undefined },
    };
    this.#outbound.set(key, made);
    this.#options.emit({ type: "channelCreated", peer });
    return made;
  }

  #closeIdle(): void {
    for (const [key, outbound] of this.#outbound) {
      if (outbound.sends > 0 || outbound.streaming) continue;
      outbound.channel.close();
      this.#outbound.delete(key);
      return;
    }
    throw new NetworkError({ code: "unavailable", reason: "too many peers are being talked to" });
  }
}

function failureOf(error: GrpcError, peer: Peer): NetworkError {
  const options = { cause: error };
  switch (error.status) {
    case grpcStatus.deadlineExceeded:
      return new NetworkError({ code: "timeout" }, options);
    case grpcStatus.unavailable:
      return new NetworkError({ code: "unavailable", reason: error.description }, options);
    case grpcStatus.resourceExhausted:
      return new NetworkError({ code: "tooLarge", peer: peerUri(peer) }, options);
    case grpcStatus.permissionDenied:
      return new NetworkError({ code: "wrongNetwork", description: error.description }, options);
    default:
      return new NetworkError({ code: "protocol", description: error.description }, options);
  }
}
