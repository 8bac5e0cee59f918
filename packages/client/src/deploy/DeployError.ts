/** Why a deploy cannot be built. */
export type DeployFailure =
  | { readonly code: "notPrivateKey" }
  | { readonly code: "outOfRange"; readonly field: string; readonly value: bigint; readonly least: bigint }
  | { readonly code: "emptyTerm" }
  | { readonly code: "badSignature"; readonly algorithm: string };

/** A deploy cannot be built; the message never holds a part of the key. @spec 10 §1.3 */
export class DeployError extends Error {
  override readonly name = "DeployError";

  constructor(readonly failure: DeployFailure) {
    super(sentence(failure));
  }
}

function sentence(failure: DeployFailure): string {
  switch (failure.code) {
    case "notPrivateKey":
      return "The private key is none: it must have 64 hexadecimal digits (32 bytes), not 0, less than the order of secp256k1";
    case "outOfRange":
      return `The ${failure.field} ${failure.value} is out of range: it must be from ${failure.least} to ${2n ** 63n - 1n}`;
    case "badSignature":
      return `The signature does not fit the deploy: the signer has another key than it says, or does not sign as ${failure.algorithm} does`;
    case "emptyTerm":
      return "The term is empty; give a program to deploy";
  }
}
