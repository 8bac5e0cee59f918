import { checkSignature, type SignatureAlgorithm } from "@vedette/crypto";
import type { Par } from "@vedette/terms";
import { FatalError } from "../evaluate/FatalError.js";
import { byteArrayArgument, groundValue } from "./arguments.js";
import type { SystemProcess, SystemReply } from "./SystemFacts.js";

/**
 * `rho:crypto:ed25519Verify(data, signature, publicKey, ack)`.
 *
 * @spec 21 §7.3
 */
export const ed25519Verify: SystemProcess = (args) => verify("ed25519", "ed25519Verify", args);

/**
 * `rho:crypto:secp256k1Verify(digest, signature, publicKey, ack)`: the signature is DER.
 *
 * @spec 21 §7.3
 */
export const secp256k1Verify: SystemProcess = (args) => verify("secp256k1", "secp256k1Verify", args);

/** Input at which rnode's library throws is fatal; whatever else is wrong gives `false`. */
function verify(algorithm: SignatureAlgorithm, name: string, args: readonly Par[]): SystemReply {
  const [data, signature, publicKey] = threeByteArrays(name, args);
  const verdict = checkSignature("rnode", algorithm, { message: data, signature, publicKey });
  if (verdict === "malformed")
    throw new FatalError({
      code: "illegalArgument",
      message: `${name} was given a malformed signature, key or digest`,
    });
  return { ack: args[3]!, values: [groundValue(verdict === "valid")] };
}

function threeByteArrays(name: string, args: readonly Par[]): [Uint8Array, Uint8Array, Uint8Array] {
  const data = byteArrayArgument(args[0]!);
  const signature = byteArrayArgument(args[1]!);
  const publicKey = byteArrayArgument(args[2]!);
  if (data === undefined || signature === undefined || publicKey === undefined) {
    const message = `${name} expects data, signature, public key (all as byte arrays), and an acknowledgement channel`;
    throw new FatalError({ code: "illegalArgument", message });
  }
  return [data, signature, publicKey];
}
