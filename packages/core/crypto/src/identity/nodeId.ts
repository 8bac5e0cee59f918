import { type KeyObject, X509Certificate } from "node:crypto";
import { errorText } from "@vedette/errors";
import { keccak256 } from "../hash/keccak256.js";
import { IdentityError } from "./IdentityError.js";

const nodeIdSize = 20;
// No certificate of a node has much more than 500 bytes; the limit keeps a hostile one from being worked on.
const certificateLimit = 65_536;

/**
 * The id of the node with this public key.
 *
 * @spec 10 §2
 * @param point 64 bytes: X and Y, big-endian
 * @returns 20 bytes
 */
export function nodeIdOfPublicKey(point: Uint8Array): Uint8Array {
  const hash = keccak256(point);
  return hash.slice(hash.length - nodeIdSize);
}

/**
 * The id of the node with this certificate. Its dates, names and signature are not looked at.
 *
 * @spec 10 §2
 * @param certificate PEM text or DER bytes
 * @returns 20 bytes
 * @throws {IdentityError} `certificateUnreadable`, `certificateNotP256`
 */
export function nodeIdOfCertificate(certificate: string | Uint8Array): Uint8Array {
  const point = p256Point(readPublicKey(certificate));
  if (point === undefined) throw new IdentityError({ code: "certificateNotP256" });
  return nodeIdOfPublicKey(point);
}

/** X and Y of a public key on secp256r1, 64 bytes; `undefined` for any other key. @spec 10 §2 */
export function p256Point(key: KeyObject): Uint8Array | undefined {
  if (key.asymmetricKeyType !== "ec" || key.asymmetricKeyDetails?.namedCurve !== "prime256v1") return undefined;
  const { x, y } = key.export({ format: "jwk" });
  if (x === undefined || y === undefined) return undefined;
  return new Uint8Array([...Buffer.from(x, "base64url"), ...Buffer.from(y, "base64url")]);
}

function readPublicKey(certificate: string | Uint8Array): KeyObject {
  if (certificate.length > certificateLimit) {
    throw new IdentityError({ code: "certificateUnreadable", reason: `it is larger than ${certificateLimit} bytes` });
  }
  try {
    return new X509Certificate(certificate).publicKey;
  } catch (error) {
    const reason = errorText(error);
    throw new IdentityError({ code: "certificateUnreadable", reason }, { cause: error });
  }
}
