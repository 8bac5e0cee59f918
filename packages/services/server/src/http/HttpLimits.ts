import type { Config } from "@vedette/config";

/** The limits of requests from one address, and from all together. */
export interface HttpLimits {
  /** Whether this machine's own programs are limited as other clients are; a proxy among them has limits of its own. */
  readonly limitsOwnMachine: boolean;
  /** Requests that an address may send at once, and how many it gets back each second. */
  readonly burst: number;
  readonly requestsPerSecond: number;
  /** Open sockets; when there are more, those that have been idle longest are closed. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  readonly bodyBytes: number;
  /** The limit of the request line and all headers. */
  readonly headBytes: number;
  readonly pathCharacters: number;
  /** Within which the head, and within which the whole of a request has to come. */
  readonly headTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** A socket without traffic for this time is closed. */
  readonly idleTimeoutMs: number;
}

/** Generous to people and programs, bearable for the node. @spec 50 §1.1 */
export const defaultHttpLimits: HttpLimits = {
  limitsOwnMachine: false,
  burst: 2_000,
  requestsPerSecond: 200,
  // 4096 of them may follow events.
  connections: 6_144,
  connectionsPerAddress: 512,
  bodyBytes: 16 << 20,
  headBytes: 40_960,
  pathCharacters: 4_096,
  headTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  idleTimeoutMs: 120_000,
};

/** The limits that a configuration sets. @spec 50 §1.12, §5.3 */
export function httpLimitsOf(config: Config): HttpLimits {
  return {
    limitsOwnMachine: config["api-server.limits.apply-to-localhost"],
    burst: config["api-server.limits.request-burst"],
    requestsPerSecond: config["api-server.limits.requests-per-second"],
    connections: config["api-server.limits.connections"],
    connectionsPerAddress: config["api-server.limits.connections-per-address"],
    bodyBytes: Number(config["api-server.limits.body-size"]),
    headBytes: Number(config["api-server.limits.header-size"]),
    pathCharacters: config["api-server.limits.path-length"],
    headTimeoutMs: config["api-server.limits.header-timeout"],
    requestTimeoutMs: config["api-server.limits.request-timeout"],
    idleTimeoutMs: config["api-server.limits.idle-timeout"],
  };
}
