import { defaultServerLimits, type PeerConnectionCounts, PeerGrpcServer } from "../grpc/PeerGrpcServer.js";
import { type GrpcMethod, onlyMessage } from "../grpc/serveCall.js";
import type { Peer } from "../Peer.js";
import type { KademliaTable } from "./KademliaTable.js";
import {
  decodeLookup,
  decodePing,
  encodeLookupResponse,
  encodePong,
  type KademliaRequest,
  kademliaService,
} from "./kademliaMessage.js";

/** How the discovery server is made. @spec 10 §5 */
export interface KademliaServerOptions {
  readonly networkId: string;
  readonly table: Pick<KademliaTable, "lookup">;
  /** Receives the peer that sent a request, as it names itself; requests are not signed. */
  readonly onNamed: (peer: Peer) => void;
}

const maxRequestBytes = 4096;
const answerMs = 5000;

/**
 * Answers peers with the peers in the table, in plain text.
 *
 * @spec 10 §5
 */
export class KademliaServer implements AsyncDisposable {
  readonly #options: KademliaServerOptions;
  readonly #server: PeerGrpcServer<true>;

  constructor(options: KademliaServerOptions) {
    this.#options = options;
    const { networkId, table } = options;
    this.#server = new PeerGrpcServer<true>({
      methods: new Map([
        [`/${kademliaService}/SendPing`, this.#method(decodePing, () => encodePong(networkId))],
        [
          `/${kademliaService}/SendLookup`,
          this.#method(decodeLookup, (request) =>
            request.networkId === networkId
              ? encodeLookupResponse(table.lookup(request.key), networkId)
              : encodeLookupResponse([], ""),
          ),
        ],
      ]),
      identify: () => true,
      limits: { ...defaultServerLimits, maxSessions: 128, maxConcurrentCalls: 10, idleSessionMs: 10_000 },
    });
  }

  /** Returns the counts of its connections by state. */
  get connections(): PeerConnectionCounts {
    return this.#server.connections;
  }

  /** @returns the port; @throws {NetworkError} @spec 10 §6 */
  listen(port: number, host?: string): Promise<number> {
    return this.#server.listen(port, host);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  #method(
    decode: (bytes: Uint8Array) => KademliaRequest,
    answer: (request: KademliaRequest) => Uint8Array,
  ): GrpcMethod<true> {
    return {
      maxMessageBytes: maxRequestBytes,
      idleMs: answerMs,
      deadlineMs: answerMs,
      handle: async ({ messages }) => {
        const request = decode(await onlyMessage(messages));
        if (request.networkId === this.#options.networkId) this.#options.onNamed(request.sender);
        return answer(request);
      },
    };
  }
}
