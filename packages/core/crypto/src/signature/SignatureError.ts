import { errorClass } from "@vedette/errors";

/** The faults of a request to sign. */
export type SignatureFailure =
  | { readonly code: "notPrivateKey"; readonly length: number }
  | { readonly code: "notHash"; readonly length: number }
  | { readonly code: "cannotSign"; readonly algorithm: string };

/** Something could not be signed. Checking a signature never throws. @spec 10 §1.2 */
export class SignatureError extends errorClass("SignatureError", sentence) {}

function sentence(failure: SignatureFailure): string {
  switch (failure.code) {
    case "notPrivateKey":
      return `The ${failure.length} bytes are no private key: it has 32 bytes and is less than the curve's order`;
    case "notHash":
      return `Only a hash of 32 bytes can be signed, not ${failure.length} bytes`;
    case "cannotSign":
      return `Signing with ${failure.algorithm} is not supported`;
  }
}
