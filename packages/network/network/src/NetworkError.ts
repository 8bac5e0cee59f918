import { errorClass } from "@vedette/errors";

/** The failures of the network of peers. @spec 10 §3.3, §3.5, §6 */
export type NetworkFailure =
  | { readonly code: "portInUse"; readonly port: number }
  | { readonly code: "cannotListen"; readonly port: number; readonly reason: string }
  | { readonly code: "timeout" }
  | { readonly code: "unavailable"; readonly reason: string }
  | { readonly code: "tooLarge"; readonly peer: string }
  | { readonly code: "wrongNetwork"; readonly description: string }
  | { readonly code: "protocol"; readonly description: string }
  | { readonly code: "internalAnswer"; readonly text: string }
  | { readonly code: "queueFull"; readonly peer: string; readonly limit: number }
  | { readonly code: "badCertificate"; readonly reason: string }
  | { readonly code: "invalidHost"; readonly host: string }
  | { readonly code: "notUnderstood"; readonly peer: string; readonly extension: string }
  | { readonly code: "closed" };

/** A message that did not reach its peer, or a server that could not be started. @spec 10 §3.5, §6 */
export class NetworkError extends errorClass("NetworkError", sentence) {}

function sentence(failure: NetworkFailure): string {
  switch (failure.code) {
    case "portInUse":
      return `Port ${failure.port} is already in use!`;
    case "cannotListen":
      return `Cannot listen on port ${failure.port}: ${failure.reason}`;
    case "timeout":
      return "Timeout";
    case "unavailable":
      return "Peer is currently unavailable";
    case "tooLarge":
      return `Message rejected by peer ${failure.peer} because it was too large`;
    case "wrongNetwork":
      return failure.description;
    case "protocol":
      return `Protocol error. ${failure.description}`;
    case "internalAnswer":
      return `Internal communication error. Got response: ${failure.text}`;
    case "queueFull":
      return `Client stream message queue for ${failure.peer} is full (${failure.limit} items). Dropping message.`;
    case "badCertificate":
      return failure.reason;
    case "invalidHost":
      return `Invalid Kademlia hostname ${failure.host}: it does not resolve to a public IP address; --allow-private-addresses allows private ones`;
    case "notUnderstood":
      return `peer ${failure.peer} does not support extension ${failure.extension}`;
    case "closed":
      return "network is shut down";
  }
}
