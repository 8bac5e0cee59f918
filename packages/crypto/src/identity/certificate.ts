import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { errorText } from "@vedette/errors";
import { fromHex, toHex } from "../bytes/hex.js";
import { ascii, derInteger, derSequence, derTime, derValue } from "./der.js";
import { IdentityError } from "./IdentityError.js";
import { nodeIdOfPublicKey, p256Point } from "./nodeId.js";

/** A node's key with a certificate that it has signed itself. @spec 10 §2 */
export type NodeCertificate = {
  readonly nodeId: Uint8Array;
  readonly certificatePem: string;
  readonly privateKeyPem: string;
};

const validityMs = 365 * 86_400_000;
const serialSize = 8;
const ecdsaWithSha256 = derSequence(derValue(0x06, fromHex("2a8648ce3d040302")));
const base64Line = /^[A-Za-z0-9+/]+={0,2}$/;
const commonName = derValue(0x06, fromHex("550403"));

/**
 * Makes a certificate for a key on secp256r1, or for a new one.
 *
 * It is X.509 v3 without any extension, its only name is the node's id, and it is good for a year:
 * peers look at the id alone.
 *
 * @spec 10 §2
 * @param nowMs         the time from which it is valid
 * @param privateKeyPem a key that is there already
 * @throws {IdentityError} `keyUnreadable`
 */
export function createNodeCertificate(nowMs: number, privateKeyPem?: string): NodeCertificate {
  const key = privateKeyPem === undefined ? newNodeKey() : readNodeKey(privateKeyPem);
  const publicKey = createPublicKey(key);
  const nodeId = nodeIdOfPublicKey(p256Point(publicKey)!);
  const toSign = certificateContent(publicKey, toHex(nodeId), nowMs);
  const signature = derValue(0x03, new Uint8Array(1), sign("sha256", toSign, key));
  return {
    nodeId,
    certificatePem: printPem("CERTIFICATE", derSequence(toSign, ecdsaWithSha256, signature)),
    privateKeyPem: printKey(key),
  };
}

/**
 * Reads a node's key, PKCS#8 on secp256r1.
 *
 * @spec 10 §2
 * @param text lines with `KEY` in them are left out unless all of them is Base64, and the rest is Base64
 * @throws {IdentityError} `keyUnreadable`
 */
export function readNodeKey(text: string): KeyObject {
  const base64 = text
    .split(/\r?\n/)
    .filter((line) => !line.includes("KEY") || base64Line.test(line))
    .join("");
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: Buffer.from(base64, "base64"), format: "der", type: "pkcs8" });
  } catch (error) {
    const reason = errorText(error);
    throw new IdentityError({ code: "keyUnreadable", reason }, { cause: error });
  }
  if (key.asymmetricKeyDetails?.namedCurve !== "prime256v1") {
    throw new IdentityError({ code: "keyUnreadable", reason: "it is not on secp256r1" });
  }
  return key;
}

/**
 * The reference leaves out every line with `KEY` in it, be it a line of the key itself, and cannot read such a file:
 * one key in some two thousand.
 */
function newNodeKey(): KeyObject {
  for (;;) {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    if (!printKey(privateKey).split("\n").slice(1, -1).join("\n").includes("KEY")) return privateKey;
  }
}

function printKey(key: KeyObject): string {
  return printPem("PRIVATE KEY", key.export({ type: "pkcs8", format: "der" }));
}

function certificateContent(publicKey: KeyObject, name: string, nowMs: number): Uint8Array {
  const version3 = derValue(0xa0, derInteger(Uint8Array.of(2)));
  const subject = derSequence(derValue(0x31, derSequence(commonName, derValue(0x0c, ascii(name)))));
  const validity = derSequence(derTime(nowMs), derTime(nowMs + validityMs));
  const serial = derInteger(randomBytes(serialSize));
  const keyInfo = publicKey.export({ type: "spki", format: "der" });
  return derSequence(version3, serial, ecdsaWithSha256, subject, validity, subject, keyInfo);
}

/** PEM with lines of 64 characters and, as the reference writes it, no newline at the end. */
function printPem(label: string, content: Uint8Array): string {
  const lines =
    Buffer.from(content)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join("\n");
}
