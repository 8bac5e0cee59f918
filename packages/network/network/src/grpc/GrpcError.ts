/** The status codes of gRPC that this protocol uses. @spec 10 §3.2, §3.3 */
export const grpcStatus = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  permissionDenied: 7,
  resourceExhausted: 8,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const;

/** A call that ended with a status other than OK; thrown by callers and by methods of a server. @spec 10 §3.3 */
export class GrpcError extends Error {
  override readonly name = "GrpcError";

  /**
   * @param status one of {@link grpcStatus}, or any other number from a peer
   * @param description the status message of the wire (decoded)
   */
  constructor(
    readonly status: number,
    readonly description: string,
    options?: ErrorOptions,
  ) {
    super(`gRPC status ${status}: ${description}`, options);
  }
}

const maxStatusMessageLength = 1024;

/** Percent-encodes a status message, cut to a bounded length. @spec 10 §3.2 */
export function encodeStatusMessage(text: string): string {
  let encoded = "";
  for (const byte of Buffer.from(text.slice(0, maxStatusMessageLength), "utf8")) {
    const plain = byte >= 0x20 && byte <= 0x7e && byte !== 0x25;
    encoded += plain ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return encoded;
}

/** Reads a peer's status message; one that is badly encoded is returned unchanged. @spec 10 §3.2 */
export function decodeStatusMessage(text: string): string {
  const cut = text.slice(0, maxStatusMessageLength * 3);
  try {
    return decodeURIComponent(cut).slice(0, maxStatusMessageLength);
  } catch {
    return cut.slice(0, maxStatusMessageLength);
  }
}
