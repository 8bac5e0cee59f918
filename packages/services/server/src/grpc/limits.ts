import type { Config } from "@vedette/config";
import { type SessionTimes, usualTimes } from "@vedette/network";

/** Bounds of a gRPC server. @spec 50 §3.1 */
export interface GrpcLimits {
  /** The limit of one request. */
  readonly maxMessageBytes: number;
  readonly keepAliveMs: number;
  readonly keepAliveTimeoutMs: number;
  /** After this time without traffic the system checks a connection. */
  readonly tcpKeepAliveMs: number;
  /** A call that takes longer ends with its deadline exceeded; a stream has begun by then. */
  readonly callMs: number;
  /** Clients that check their connection more often are sent away. */
  readonly permitKeepAliveMs: number;
  readonly maxIdleMs: number;
  readonly maxAgeMs: number;
  readonly ageGraceMs: number;
  // The following limits are ours: rnode has no such bounds.
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly maxCallsPerConnection: number;
  readonly maxCalls: number;
  /** The limit of all requests that are being read or worked on. */
  readonly maxRequestBytes: number;
  /** A client that sends or takes nothing for this time, when it is its turn, loses the call. */
  readonly stallMs: number;
  /** A connection that has not shown its protocol is closed after this time. */
  readonly firstBytesMs: number;
}

/** The limit of the head of one request. */
export const maxHeadBytes = 16_384;
/** In the head of one request. */
export const maxHeaders = 64;

/** Bounds on what untrusted clients can hold. */
export const ownLimits = {
  maxConnections: 512,
  maxConnectionsPerAddress: 128,
  maxCallsPerConnection: 100,
  maxCalls: 1_000,
  maxRequestBytes: 134_217_728,
  stallMs: 60_000,
  firstBytesMs: 10_000,
} as const;

/** Timers of this machine cannot wait longer. */
const longestMs = 2_147_483_647;
/** A connection is not checked more often. */
const shortestMs = 1_000;

/** The bounds that a configuration sets. @spec 50 §3.1 */
export function grpcLimitsOf(config: Config): GrpcLimits {
  const wait = (ms: number) => Math.max(shortestMs, Math.min(ms, longestMs));
  return {
    ...ownLimits,
    maxConnections: config["api-server.limits.grpc-connections"],
    maxConnectionsPerAddress: config["api-server.limits.grpc-connections-per-address"],
    maxCalls: config["api-server.limits.grpc-calls"],
    maxMessageBytes: Number(config["api-server.grpc-max-recv-message-size"]),
    keepAliveMs: wait(config["api-server.keep-alive-time"]),
    keepAliveTimeoutMs: wait(config["api-server.keep-alive-timeout"]),
    tcpKeepAliveMs: wait(config["api-server.tcp-keepalive-time"]),
    callMs: Math.min(config["api-server.request-timeout"], longestMs),
    permitKeepAliveMs: config["api-server.permit-keep-alive-time"],
    maxIdleMs: wait(config["api-server.max-connection-idle"]),
    maxAgeMs: wait(config["api-server.max-connection-age"]),
    ageGraceMs: wait(config["api-server.max-connection-age-grace"]),
  };
}

/** Returns when a connection is checked, and closed when it has no call. @spec 50 §3.1 */
export function sessionTimesOf({ keepAliveMs, keepAliveTimeoutMs, maxIdleMs }: GrpcLimits): SessionTimes {
  const { lookMs, checkMs, answerMs, doubtMs } = usualTimes;
  return {
    ...usualTimes,
    lookMs: Math.min(lookMs, keepAliveMs, keepAliveTimeoutMs, maxIdleMs),
    checkMs: Math.min(checkMs, keepAliveMs),
    busyCheckMs: keepAliveMs,
    answerMs: Math.min(answerMs, keepAliveTimeoutMs),
    busyAnswerMs: keepAliveTimeoutMs,
    doubtMs: Math.min(doubtMs, keepAliveTimeoutMs),
    maxIdleMs,
  };
}
