import { fromBinary } from "@bufbuild/protobuf";
import { errorText } from "@vedette/errors";
import { type Chunk, type ChunkHeader, ChunkSchema } from "@vedette/protocol";
import type { Peer } from "../Peer.js";
import { peerOfNode, readOptions } from "../transport/peerMessage.js";
import { expandBlock } from "./compress.js";

/** The rules that a receiver of streams must know. @spec 10 §3.6 */
export interface StreamRules {
  readonly networkId: string;
  /** The id that the sender's certificate proves. */
  readonly certifiedId: string;
  /** Limit of the bytes received and of the length claimed for the content. */
  readonly maxBytes: number;
  /** Maximum content length of a packet type. Unknown types are refused before they cost memory. */
  readonly maxBytesOf: (typeId: string) => number;
  /** A fact of the dialect. @spec 10 §9 */
  readonly compressedStreamsHaveLength: boolean;
  /** Reserves memory; false if there is none left. */
  readonly takeMemory: (bytes: number) => boolean;
}

/** A stream that arrived whole, or why not (the text of the InternalServerError). @spec 10 §3.6 */
export type StreamOutcome =
  | { readonly sender: Peer; readonly typeId: string; readonly content: Uint8Array }
  | { readonly refusal: string };

const notFull = "Received not full stream message, will not process.";
const tooLong = "Max message size was reached.";

/**
 * Puts a stream together.
 *
 * rnode does not bind the announced sender to the certificate. An honest node always announces itself. So this function
 * requires it, and no other peer can send in the name of the bootstrap.
 *
 * @spec 10 §3.6
 * @throws the error of `chunks`
 */
export async function receiveStream(chunks: AsyncIterable<Uint8Array>, rules: StreamRules): Promise<StreamOutcome> {
  const stream = new ChunkedStream(rules);
  for await (const bytes of chunks) {
    const refusal = stream.add(bytes);
    if (refusal !== undefined) return { refusal };
  }
  return stream.finish();
}

class ChunkedStream {
  readonly #rules: StreamRules;
  readonly #pieces: Uint8Array[] = [];
  #received = 0;
  #header: ChunkHeader | undefined;
  #limit: number;

  constructor(rules: StreamRules) {
    this.#rules = rules;
    this.#limit = rules.maxBytes;
  }

  /** @returns why the stream is refused */
  add(bytes: Uint8Array): string | undefined {
    const content = decodeChunk(bytes)?.content;
    switch (content?.case) {
      case "header":
        return this.#begin(content.value);
      case "data":
        return this.#append(content.value.contentData);
      default:
        return notFull;
    }
  }

  #begin(header: ChunkHeader): string | undefined {
    if (this.#header !== undefined) return notFull;
    this.#header = header;
    const refusal = checkHeader(header, this.#rules);
    if (refusal !== undefined) return refusal;
    this.#limit = Math.min(this.#limit, this.#rules.maxBytesOf(header.typeId));
    return header.contentLength > this.#limit ? tooLong : undefined;
  }

  #append(data: Uint8Array): string | undefined {
    this.#received += data.length;
    // No honest peer sends data before the header. Waiting for one would let an unknown sender fill memory.
    if (this.#header === undefined) return notFull;
    if (this.#received > this.#limit) return tooLong;
    if (!this.#rules.takeMemory(data.length)) return "Could not receive stream! Out of stream memory.";
    this.#pieces.push(data);
    return undefined;
  }

  async finish(): Promise<StreamOutcome> {
    if (this.#header === undefined) return { refusal: notFull };
    return finish(this.#header, join(this.#pieces, this.#received), this.#rules);
  }
}

async function finish(header: ChunkHeader, data: Uint8Array, rules: StreamRules): Promise<StreamOutcome> {
  const sender = peerOfNode(header.sender);
  if (sender === undefined) return { refusal: notFull };
  const { typeId, contentLength } = header;
  if (!header.compressed) {
    return data.length === contentLength ? { sender, typeId, content: data } : { refusal: notFull };
  }
  if (!rules.takeMemory(contentLength)) return { refusal: "Could not receive stream! Out of stream memory." };
  try {
    return { sender, typeId, content: await expandBlock(data, contentLength, rules.compressedStreamsHaveLength) };
  } catch (error) {
    return { refusal: `Could not receive stream! ${errorText(error)}` };
  }
}

function checkHeader(header: ChunkHeader, rules: StreamRules): string | undefined {
  if (header.networkId !== rules.networkId) return "Could not receive stream! Wrong network id.";
  if (header.contentLength < 0) return notFull;
  const sender = peerOfNode(header.sender);
  if (sender === undefined || sender.id !== rules.certifiedId) {
    return "Could not receive stream! Certificate verification failed";
  }
  return undefined;
}

function decodeChunk(bytes: Uint8Array): Chunk | undefined {
  try {
    return fromBinary(ChunkSchema, bytes, readOptions);
  } catch {
    return undefined;
  }
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const only = pieces.length === 1 ? pieces[0] : undefined;
  if (only !== undefined) return only;
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}
