import { Code, ConnectError } from "@connectrpc/connect";
import { ClientError } from "../failure/ClientError.js";

/** The call and its address. */
export interface CallPlace {
  readonly address: string;
  readonly call: string;
  readonly timeoutMs: number;
  /** Whether the caller has ended the call. */
  readonly isInterrupted: boolean;
}

/** Turns the error of a gRPC call into one with advice. */
export function callFailure(error: unknown, { address, call, timeoutMs, isInterrupted }: CallPlace): ClientError {
  if (error instanceof ClientError) return error;
  const failure = ConnectError.from(error);
  const reason = reasonOf(failure);
  const options = { cause: error };
  switch (failure.code) {
    case Code.Canceled:
      if (isInterrupted) return new ClientError({ code: "cancelled", call }, options);
      // The node has cut the call.
      return new ClientError({ code: "unreachable", address, reason }, options);
    case Code.Unavailable:
      return new ClientError({ code: "unreachable", address, reason }, options);
    case Code.DeadlineExceeded:
      return new ClientError({ code: "timedOut", address, call, timeoutMs }, options);
    case Code.Unimplemented:
      return new ClientError({ code: "notOffered", address, call }, options);
    case Code.Unauthenticated:
    case Code.PermissionDenied:
      return new ClientError({ code: "refused", call, messages: [reason], status: 401 }, options);
    case Code.ResourceExhausted:
      // A node with too many requests states when to come again.
      if (failure.metadata.has("retry-after"))
        return new ClientError({ code: "refused", call, messages: [reason], status: 429 }, options);
      return new ClientError({ code: "tooLarge", address, call, reason }, options);
    default:
      return isConnectionLoss(failure) || isRefusedStream(failure) || isCutShort(failure)
        ? new ClientError({ code: "unreachable", address, reason }, options)
        : new ClientError({ code: "notUnderstood", address, call, reason }, options);
  }
}

const connectionCodes = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "ERR_STREAM_DESTROYED",
  "ERR_HTTP2_INVALID_STREAM",
  "ERR_HTTP2_INVALID_SESSION",
]);

function isConnectionLoss(error: Error): boolean {
  for (const cause of causesOf(error)) if (connectionCodes.has(codeOf(cause))) return true;
  return false;
}

/**
 * Whether the node has not even begun with a call: it was about to close the connection, or had too many calls. Such a
 * call may be made again, whatever it does (RFC 9113 §8.7).
 */
export function isRefusedStream(error: unknown): boolean {
  const causes = causesOf(ConnectError.from(error));
  return causes.some(
    (cause) => codeOf(cause) === "ERR_HTTP2_STREAM_ERROR" && cause.message.endsWith("NGHTTP2_REFUSED_STREAM"),
  );
}

/** The library's texts for an answer without its end, one for each place where it was cut. */
const cutShort = ["protocol error: missing status", "protocol error: incomplete envelope"];

/** Whether an answer began and has no end, as from a proxy that lost its node meanwhile. */
function isCutShort({ rawMessage }: ConnectError): boolean {
  return cutShort.includes(rawMessage);
}

const longestReason = 200;

/** The innermost cause has most information: `connect ECONNREFUSED 127.0.0.1:40401`. */
function reasonOf(error: ConnectError): string {
  const innermost = causesOf(error).at(-1)!;
  // Node gives several addresses of a host one error without a message.
  const text = innermost instanceof ConnectError ? innermost.rawMessage : innermost.message || codeOf(innermost);
  return text.replace(/\s+/g, " ").slice(0, longestReason) || "no reason given";
}

function causesOf(error: Error): Error[] {
  const causes = [error];
  for (let cause = error.cause; cause instanceof Error && !causes.includes(cause); cause = cause.cause)
    causes.push(cause);
  return causes;
}

function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : "";
}
