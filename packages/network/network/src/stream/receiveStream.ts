import { fromBinary } from "@bufbuild/protobuf";
import { errorText } from "@vedette/errors";
import { type Chunk, type ChunkHeader, ChunkSchema } from "@vedette/protocol";
import type { Peer } from "../Peer.js";
import { peerOfNode, readOptions } from "../transport/peerMessage.js";
import { expandBlock } from "./compress.js";

/** What a receiver of streams must know. @spec 10 §3.6 */
export interface StreamRules {
  readonly networkId: string;
  /** The id that the sender's certificate proves. */
  readonly certifiedId: string;
  /** Limit of the bytes received and of the length claimed for the content. */
  readonly maxBytes: number;
  /** Limit of content of one packet type; what nobody understands is refused before it costs memory. */
  readonly maxBytesOf: (typeId: string) => number;
  /** A fact of the dialect. @spec 10 §9 */
  readonly compressedStreamsHaveLength: boolean;
  /** Asks for memory; false where there is none left. */
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
 * The reference does not bind the announced sender to the certificate; an honest node always announces itself, so
 * here it must, and nobody can speak in the name of the bootstrap.
 *
 * @spec 10 §3.6
 * @throws what `chunks` throws
 */
export async function receiveStream(chunks: AsyncIterable<Uint8Array>, rules: StreamRules): Promise<StreamOutcome> {
  const pieces: Uint8Array[] = [];
  let received = 0;
  let header: ChunkHeader | undefined;
  let limit = rules.maxBytes;
  for await (const bytes of chunks) {
    const chunk = decodeChunk(bytes);
    if (chunk === undefined || chunk.content.case === undefined) return { refusal: notFull };
    if (chunk.content.case === "header") {
      if (header !== undefined) return { refusal: notFull };
      header = chunk.content.value;
      const refusal = checkHeader(header, rules);
      if (refusal !== undefined) return { refusal };
      limit = Math.min(limit, rules.maxBytesOf(header.typeId));
      if (header.contentLength > limit) return { refusal: tooLong };
    } else {
      const { contentData } = chunk.content.value;
      received += contentData.length;
      // Nobody sends data before the header; waiting for one would let anybody fill memory namelessly.
      if (header === undefined) return { refusal: notFull };
      if (received > limit) return { refusal: tooLong };
      if (!rules.takeMemory(contentData.length)) return { refusal: "Could not receive stream! Out of stream memory." };
      pieces.push(contentData);
    }
  }
  if (header === undefined) return { refusal: notFull };
  return finish(header, join(pieces, received), rules);
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
