import { create, toBinary } from "@bufbuild/protobuf";
import { ChunkSchema } from "@vedette/protocol";
import type { Peer } from "../Peer.js";
import { nodeOfPeer } from "../transport/peerMessage.js";
import { compressAboveBytes, compressBlock } from "./compress.js";

/** Room that a piece leaves for the encoding around it. */
const chunkOverheadBytes = 2048;
const deadlineMsPerByte = 0.005;

/**
 * How long a stream of this many bytes may take.
 *
 * @spec 10 §3.6
 * @param baseMs until a busy receiver takes the first bytes and answers the last ones, whatever the size
 */
export function streamDeadlineMs(contentBytes: number, baseMs: number): number {
  return baseMs + Math.ceil(contentBytes * deadlineMsPerByte);
}

/** A message that is sent in pieces. @spec 10 §3.6 */
export interface ChunkedMessage {
  readonly typeId: string;
  readonly content: Uint8Array;
}

/** The settings that a sender of streams must know. @spec 10 §3.6 */
export interface StreamSender {
  readonly local: Peer;
  readonly networkId: string;
  /** The limit of one gRPC message at the receiver (`grpc-stream-chunk-size`). */
  readonly chunkBytes: number;
  /** A fact of the dialect. @spec 10 §9 */
  readonly compressedStreamsHaveLength: boolean;
}

/**
 * Prepares a message for sending: compresses it if it is long, and cuts it on demand.
 *
 * @spec 10 §3.6
 */
export async function chunksOf({ typeId, content }: ChunkedMessage, from: StreamSender): Promise<Iterable<Uint8Array>> {
  const { local, networkId, chunkBytes, compressedStreamsHaveLength } = from;
  const compressed = content.length > compressAboveBytes;
  const data = compressed ? await compressBlock(content, compressedStreamsHaveLength) : content;
  const value = { sender: nodeOfPeer(local), typeId, compressed, contentLength: content.length, networkId };
  const header = toBinary(ChunkSchema, create(ChunkSchema, { content: { case: "header", value } }));
  return pieces(header, data, Math.max(1, chunkBytes - chunkOverheadBytes));
}

function* pieces(header: Uint8Array, data: Uint8Array, pieceBytes: number): Generator<Uint8Array> {
  yield header;
  for (let start = 0; start < data.length; start += pieceBytes) {
    const contentData = data.subarray(start, start + pieceBytes);
    yield toBinary(ChunkSchema, create(ChunkSchema, { content: { case: "data", value: { contentData } } }));
  }
}
