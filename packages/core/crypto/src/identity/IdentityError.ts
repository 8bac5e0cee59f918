import { errorClass } from "@vedette/errors";

/** The faults of a node's key or certificate. */
export type IdentityFailure =
  | { readonly code: "certificateUnreadable"; readonly reason: string }
  | { readonly code: "certificateNotP256" }
  | { readonly code: "keyUnreadable"; readonly reason: string }
  | { readonly code: "certificateMissing"; readonly path: string }
  | { readonly code: "keyMissing"; readonly path: string }
  | { readonly code: "keyOpenToOthers"; readonly path: string; readonly mode: number }
  | { readonly code: "cannotWrite"; readonly path: string; readonly reason: string };

/** A key or certificate does not identify a node: it is missing, damaged or not usable. @spec 10 §2 */
export class IdentityError extends errorClass("IdentityError", sentence) {}

function sentence(failure: IdentityFailure): string {
  switch (failure.code) {
    case "certificateUnreadable":
      return `Failed to read the X.509 certificate: ${failure.reason}`;
    case "certificateNotP256":
      return "Certificate must contain a secp256r1 EC Public Key";
    case "keyUnreadable":
      return `Invalid secret key: ${failure.reason}`;
    case "certificateMissing":
      return `Certificate file ${failure.path} not found`;
    case "keyMissing":
      return `Secret key file ${failure.path} not found`;
    case "keyOpenToOthers":
      return `The node's key ${failure.path} is readable by every user of this machine (mode ${failure.mode.toString(8)}); run \`chmod 600 ${failure.path}\``;
    case "cannotWrite":
      return `Cannot write ${failure.path}: ${failure.reason}`;
  }
}
