import { GrpcError, grpcStatus } from "./GrpcError.js";

const prefixBytes = 5;

/** One message with its gRPC prefix: a compression flag (never set) and the length. @spec 10 §3.2 */
export function frameMessage(message: Uint8Array): Uint8Array {
  const framed = new Uint8Array(prefixBytes + message.length);
  new DataView(framed.buffer).setUint32(1, message.length);
  framed.set(message, prefixBytes);
  return framed;
}

/**
 * Cuts the bytes of one call into messages.
 *
 * Bytes are gathered in one buffer that doubles as they arrive: what a peer merely announces costs no memory,
 * and tiny pieces cost no more than large ones.
 *
 * @spec 10 §3.2
 * @cost linear in the bytes pushed
 */
export class MessageReader {
  readonly #maxMessageBytes: number;
  #buffer = new Uint8Array(0);
  #start = 0;
  #end = 0;
  #wanted = -1;

  constructor(maxMessageBytes: number) {
    this.#maxMessageBytes = maxMessageBytes;
  }

  /** Whether bytes of an unfinished message are held. */
  get unfinished(): boolean {
    return this.#end > this.#start || this.#wanted >= 0;
  }

  /**
   * @param data the next bytes of the call; copied
   * @returns the messages that became complete
   * @throws {GrpcError} RESOURCE_EXHAUSTED for a message over the limit, UNIMPLEMENTED for a compressed one
   */
  push(data: Uint8Array): Uint8Array[] {
    this.#append(data);
    const complete: Uint8Array[] = [];
    for (;;) {
      const held = this.#end - this.#start;
      if (this.#wanted < 0) {
        if (held < prefixBytes) break;
        this.#wanted = this.#readPrefix();
      } else {
        if (held < this.#wanted) break;
        complete.push(this.#buffer.slice(this.#start, this.#start + this.#wanted));
        this.#start += this.#wanted;
        this.#wanted = -1;
      }
    }
    return complete;
  }

  #readPrefix(): number {
    const length = new DataView(this.#buffer.buffer, this.#start, prefixBytes).getUint32(1);
    if (this.#buffer[this.#start] !== 0) {
      throw new GrpcError(grpcStatus.unimplemented, "Compressed messages are not supported");
    }
    if (length > this.#maxMessageBytes) {
      const text = `gRPC message exceeds maximum size ${this.#maxMessageBytes}: ${length}`;
      throw new GrpcError(grpcStatus.resourceExhausted, text);
    }
    this.#start += prefixBytes;
    return length;
  }

  #append(data: Uint8Array): void {
    const held = this.#end - this.#start;
    if (this.#end + data.length > this.#buffer.length) {
      const needed = held + data.length;
      const target =
        needed > this.#buffer.length ? new Uint8Array(Math.max(needed, 2 * this.#buffer.length)) : this.#buffer;
      target.set(this.#buffer.subarray(this.#start, this.#end));
      this.#buffer = target;
      this.#start = 0;
      this.#end = held;
    }
    this.#buffer.set(data, this.#end);
    this.#end += data.length;
  }
}
