import { errorClass } from "@vedette/errors";

/** Why a deploy cannot be built. */
export type DeployFailure =
  | { readonly code: "notPrivateKey" }
  | { readonly code: "outOfRange"; readonly field: string; readonly value: bigint; readonly least: bigint }
  | { readonly code: "emptyTerm" }
  | { readonly code: "badSignature"; readonly algorithm: string };

/** A deploy cannot be built; the message never holds a part of the key. @spec 10 §1.3 */
export class DeployError extends errorClass("DeployError", sentence) {}

function sentence(failure: DeployFailure): string {
  switch (failure.code) {
    case "notPrivateKey":
      return "invalid private key: expected 64 hex digits (32 bytes), above 0 and below the secp256k1 order";
    case "outOfRange":
      return `The ${failure.field} ${failure.value} is out of range: it must be from ${failure.least} to ${2n ** 63n - 1n}`;
    case "badSignature":
      return `signature does not match the deploy: the signer uses another key, or another algorithm than ${failure.algorithm}`;
    case "emptyTerm":
      return "empty term: give a program to deploy";
  }
}
