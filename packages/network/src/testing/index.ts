export {
  decodeLookup,
  decodeLookupResponse,
  decodePing,
  decodePong,
  encodeLookup,
} from "../discovery/kademliaMessage.js";
export { GrpcError } from "../grpc/GrpcError.js";
export { frameMessage, MessageReader } from "../grpc/MessageReader.js";
export { compressBlock, expandBlock } from "../stream/compress.js";
export { decodeAnswer, decodeRequest, encodeRequest } from "../transport/peerMessage.js";
export { certifiedPeerOf } from "../transport/verifyPeer.js";
export { TestNode } from "./testNetwork.js";
