import http2 from "node:http2";
import { callGrpc } from "../grpc/callGrpc.js";
import { closeOnNextTurn } from "../grpc/closeOnNextTurn.js";
import { GrpcError, grpcStatus } from "../grpc/GrpcError.js";
import type { Peer } from "../Peer.js";
import { decodeLookupResponse, decodePong, encodeLookup, encodePing, kademliaService } from "./kademliaMessage.js";
import { isUsableHost, type ResolveHost } from "./publicHost.js";

/** How the discovery client is made. @spec 10 §5, §7 */
export interface KademliaClientOptions {
  readonly networkId: string;
  readonly local: () => Peer;
  /** `network-timeout`. */
  readonly timeoutMs: number;
  readonly allowPrivateAddresses: boolean;
  readonly resolve: ResolveHost;
  readonly signal: AbortSignal;
}

const maxAnswerBytes = 65_536;
// A flood of pings fills buckets and makes us ping others: no more than this at once.
const maxCalls = 32;

/**
 * Requests further peers from peers, with a new plain connection for every call. Reports no failure: a peer that does
 * not answer counts as one without peers.
 *
 * @spec 10 §5
 */
export class KademliaClient {
  readonly #options: KademliaClientOptions;
  #calls = 0;

  constructor(options: KademliaClientOptions) {
    this.#options = options;
  }

  /** Whether the peer lives, on the same network. Never rejects. @spec 10 §5 */
  async ping(peer: Peer): Promise<boolean> {
    const { networkId, local } = this.#options;
    try {
      return decodePong(await this.#call(peer, "SendPing", encodePing(local(), networkId))) === networkId;
    } catch {
      return false;
    }
  }

  /** The peers that another one knows near a key, the unusable ones left out. Never rejects. @spec 10 §5 */
  async lookup(key: Uint8Array, peer: Peer): Promise<Peer[]> {
    const { networkId, local, allowPrivateAddresses, resolve } = this.#options;
    try {
      const bytes = await this.#call(peer, "SendLookup", encodeLookup(key, local(), networkId));
      const answer = decodeLookupResponse(bytes);
      if (answer.networkId !== networkId) return [];
      const usable = await Promise.all(
        answer.peers.map(({ host }) => isUsableHost(host, allowPrivateAddresses, resolve)),
      );
      return answer.peers.filter((_, index) => usable[index]);
    } catch {
      return [];
    }
  }

  async #call(peer: Peer, method: string, message: Uint8Array): Promise<Uint8Array> {
    if (this.#calls >= maxCalls) throw new GrpcError(grpcStatus.resourceExhausted, "too many calls");
    const host = peer.host.includes(":") ? `[${peer.host}]` : peer.host;
    const authority = `${host}:${peer.discoveryPort}`;
    this.#calls++;
    const session = http2.connect(`http://${authority}`, { settings: { enablePush: false }, maxSessionMemory: 1 });
    session.on("error", () => {});
    try {
      return await callGrpc(session, {
        path: `/${kademliaService}/${method}`,
        scheme: "http",
        authority,
        messages: [message],
        deadlineMs: this.#options.timeoutMs,
        maxAnswerBytes,
        signal: this.#options.signal,
      });
    } finally {
      this.#calls--;
      closeOnNextTurn(() => session.destroy());
    }
  }
}
