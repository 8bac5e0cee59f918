import { GrpcError, grpcStatus } from "../grpc/GrpcError.js";
import type { Peer } from "../Peer.js";
import type { PeerAnswer, PeerMessage, ReceivedMessage } from "./peerMessage.js";

/**
 * The checks of a Send, in rnode's order: network id, then identity, then form.
 *
 * @spec 10 §3.3
 * @param certifiedId the id that the caller's certificate proves
 * @throws {GrpcError} PERMISSION_DENIED, UNAUTHENTICATED or INVALID_ARGUMENT
 */
export function checkRequest(
  received: ReceivedMessage,
  certifiedId: string,
  networkId: string,
): { readonly sender: Peer; readonly message: PeerMessage } {
  if (received.networkId !== networkId) {
    const shown = received.networkId === "" ? "<empty>" : received.networkId.slice(0, 256);
    const text = `Wrong network id '${shown}'. This node runs on network '${networkId}'`;
    throw new GrpcError(grpcStatus.permissionDenied, text);
  }
  const { sender, message } = received;
  if (sender === undefined) throw new GrpcError(grpcStatus.invalidArgument, "Malformed message");
  if (sender.id !== certifiedId) throw new GrpcError(grpcStatus.unauthenticated, "Certificate verification failed");
  if (message === undefined) throw new GrpcError(grpcStatus.invalidArgument, "Malformed message");
  return { sender, message };
}

/**
 * Checks an answer; one with InternalServerError passes.
 *
 * @spec 10 §3.3
 * @throws {GrpcError} as for {@link checkRequest}
 */
export function checkAnswer(answer: PeerAnswer, certifiedId: string, networkId: string): void {
  if (answer.type === "internalServerError") return;
  if (answer.type === "malformed") throw new GrpcError(grpcStatus.invalidArgument, "Malformed message");
  if (answer.networkId !== networkId) {
    const shown = answer.networkId === "" ? "<empty>" : answer.networkId.slice(0, 256);
    throw new GrpcError(grpcStatus.permissionDenied, `Wrong network id '${shown}'`);
  }
  if (answer.sender?.id !== certifiedId) {
    throw new GrpcError(grpcStatus.unauthenticated, "Certificate verification failed");
  }
}
