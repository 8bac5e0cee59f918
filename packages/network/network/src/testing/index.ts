export {
  decodeLookup,
  decodeLookupResponse,
  decodePing,
  decodePong,
  encodeLookup,
  encodePing,
  kademliaService,
} from "../discovery/kademliaMessage.js";
export { callGrpc } from "../grpc/callGrpc.js";
export { GrpcError } from "../grpc/GrpcError.js";
export { frameMessage, MessageReader } from "../grpc/MessageReader.js";
export { compressBlock, expandBlock } from "../stream/compress.js";
export { decodeAnswer, decodeRequest, encodeRequest, nodeOfPeer } from "../transport/peerMessage.js";
export { certifiedPeerOf } from "../transport/verifyPeer.js";
export { TestNode } from "./testNetwork.js";
