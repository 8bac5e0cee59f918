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
const alternativeNames = derValue(0x06, fromHex("551d11"));
const keyBegins = /^-----BEGIN (EC |RSA )?PRIVATE KEY-----$/;
const keyEnds = /^-----END (EC |RSA )?PRIVATE KEY-----$/;
/** The forms of key files that are read, in this order. */
const keyTypes = ["pkcs8", "sec1", "pkcs1"] as const;

/**
 * Makes a certificate for a key on secp256r1, or for a new one.
 *
 * It is X.509 v3, its only name is the node's id, as common name and as alternative name, and it is good for a year:
 * peers look at the id alone, in one of the two places or in both.
 *
 * @spec 10 §2, 61 §16.1
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
 * Reads a node's key on secp256r1, in PKCS#8 or SEC1. One in PKCS#1 is read too, and found to be on no curve.
 *
 * @spec 10 §2, 61 §16.1
 * @param text the Base64 between the first lines that begin and end a key; where there are none, all of it, but for lines
 *   with `KEY` in them that are not Base64
 * @throws {IdentityError} `keyUnreadable`
 */
export function readNodeKey(text: string): KeyObject {
  const key = parseKey(Buffer.from(keyContent(text.split(/\r?\n/)).join(""), "base64"));
  if (key.asymmetricKeyDetails?.namedCurve !== "prime256v1") {
    throw new IdentityError({ code: "keyUnreadable", reason: "it is not on secp256r1" });
  }
  return key;
}

function keyContent(lines: readonly string[]): readonly string[] {
  const begin = lines.findIndex((line) => keyBegins.test(line.trim()));
  const end = lines.findIndex((line, index) => index > begin && keyEnds.test(line.trim()));
  if (begin >= 0 && end >= 0) return lines.slice(begin + 1, end);
  return lines.filter((line) => !line.includes("KEY") || base64Line.test(line));
}

function parseKey(der: Buffer): KeyObject {
  let first: unknown;
  for (const type of keyTypes)
    try {
      return createPrivateKey({ key: der, format: "der", type });
    } catch (error) {
      first ??= error;
    }
  throw new IdentityError({ code: "keyUnreadable", reason: errorText(first) }, { cause: first });
}

/**
 * rnode leaves out every line with `KEY` in it, be it a line of the key itself, and cannot read such a file:
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
  const names = derSequence(alternativeNames, derValue(0x04, derSequence(derValue(0x82, ascii(name)))));
  const extensions = derValue(0xa3, derSequence(names));
  return derSequence(version3, serial, ecdsaWithSha256, subject, validity, subject, keyInfo, extensions);
}

/** PEM with lines of 64 characters and, as rnode writes it, no newline at the end. */
function printPem(label: string, content: Uint8Array): string {
  const lines =
    Buffer.from(content)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join("\n");
}
