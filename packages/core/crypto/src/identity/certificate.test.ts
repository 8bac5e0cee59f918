import { createPrivateKey, generateKeyPairSync, X509Certificate } from "node:crypto";
import { expect, test, vi } from "vitest";
import { fromHex, toHex } from "../bytes/hex.js";
import { createNodeCertificate, readNodeKey } from "./certificate.js";
import { derInteger, derSequence, derTime, derValue } from "./der.js";
import { nodeIdOfCertificate, nodeIdOfPublicKey } from "./nodeId.js";

vi.mock(import("node:crypto"), async (original) => {
  const crypto = await original();
  return {
    ...crypto,
    generateKeyPairSync: vi.fn(crypto.generateKeyPairSync) as unknown as typeof crypto.generateKeyPairSync,
  };
});

const now = Date.UTC(2025, 2, 14, 15, 9, 26);

/** Its second line holds `KEY`. */
const keyWithKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgtHQy9876XwFKt9q8
eCq+qfbqc8Dd8SoFSjrqBPZB3rqhRANCAASJ8jR7KEY9mNFaQuBc61+R5wVYngWR
RG9hkDNFvreKRP+oXAnnHKyxPIdWpwEUMn844SB7T0ZpIXMzBH3/fKsC
-----END PRIVATE KEY-----`;

test("rnode's node id of a point of zeros", () => {
  expect(toHex(nodeIdOfPublicKey(new Uint8Array(64)))).toBe("3f17f1962b36e491b30a40b2405849e597ba5fb5");
});

test("a new certificate is signed by its own key, names the node's id and holds for a year", () => {
  const made = createNodeCertificate(now);
  const certificate = new X509Certificate(made.certificatePem);
  const id = toHex(made.nodeId);
  expect(toHex(nodeIdOfCertificate(made.certificatePem))).toBe(id);
  expect(toHex(nodeIdOfCertificate(new Uint8Array(certificate.raw)))).toBe(id);
  expect([certificate.subject, certificate.issuer]).toEqual([`CN=${id}`, `CN=${id}`]);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkPrivateKey(createPrivateKey(made.privateKeyPem))).toBe(true);
  expect([certificate.validFrom, certificate.validTo]).toEqual([
    "Mar 14 15:09:26 2025 GMT",
    "Mar 14 15:09:26 2026 GMT",
  ]);
  expect(certificate.subjectAltName).toBe(`DNS:${id}`);
  expect(certificate.toString()).toBe(`${made.certificatePem}\n`);
});

test("a certificate for a key that is there keeps the node's id", () => {
  const first = createNodeCertificate(now);
  const second = createNodeCertificate(now + 1000, first.privateKeyPem);
  expect(second.nodeId).toEqual(first.nodeId);
  expect(second.privateKeyPem).toBe(first.privateKeyPem);
  expect(second.certificatePem).not.toBe(first.certificatePem);
});

test("files are PEM with lines of 64 characters and no newline at the end", () => {
  const { certificatePem, privateKeyPem } = createNodeCertificate(now);
  expect(certificatePem).toMatch(/^-----BEGIN CERTIFICATE-----\n([^\n]{64}\n)+[^\n]{1,64}\n-----END CERTIFICATE-----$/);
  expect(privateKeyPem).toMatch(/^-----BEGIN PRIVATE KEY-----\n([^\n]{64}\n)+[^\n]{1,64}\n-----END PRIVATE KEY-----$/);
});

test("a key is read whatever its lines are called, and only on secp256r1", () => {
  const { privateKeyPem } = createNodeCertificate(now);
  const lines = privateKeyPem.split("\n").slice(1, -1).join("\r\n");
  expect(readNodeKey(`# MY KEY\r\n${lines}\r\n`).export({ format: "jwk" })).toEqual(
    createPrivateKey(privateKeyPem).export({ format: "jwk" }),
  );
  const other = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey;
  const otherPem = other.export({ type: "pkcs8", format: "pem" }).toString();
  expect(() => readNodeKey(otherPem)).toThrowErrorMatchingInlineSnapshot(
    `[IdentityError: Invalid secret key: it is not on secp256r1]`,
  );
  expect(() => readNodeKey("nonsense")).toThrow("Invalid secret key: ");
  expect(() => readNodeKey("")).toThrow("Invalid secret key: ");
});

test.each(["sec1", "pkcs8"] as const)("a key file in %s is read, with any text before the key", (type) => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const pem = privateKey.export({ type, format: "pem" }).toString();
  const parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
  for (const text of [pem, parameters + pem, pem.replaceAll("\n", "\r\n")])
    expect(readNodeKey(text).export({ format: "jwk" })).toEqual(privateKey.export({ format: "jwk" }));
});

test("a key file in PKCS#1 is read, but holds no key of a node", () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
  const pem = privateKey.export({ type: "pkcs1", format: "pem" }).toString();
  expect(() => readNodeKey(pem)).toThrow("Invalid secret key: it is not on secp256r1");
});

test("a key with KEY in its Base64 is read, and never made, as rnode cannot read it", () => {
  const given = createPrivateKey(keyWithKey);
  expect(readNodeKey(keyWithKey).export({ format: "jwk" })).toEqual(given.export({ format: "jwk" }));
  const generate = vi.mocked(generateKeyPairSync) as unknown as ReturnType<typeof vi.fn>;
  const calls = generate.mock.calls.length;
  generate.mockReturnValueOnce({ privateKey: given });
  const made = createNodeCertificate(now);
  expect(generate.mock.calls.length - calls).toBe(2);
  expect(made.privateKeyPem).not.toBe(keyWithKey);
});

test("what is no certificate of a node is refused", () => {
  expect(() => nodeIdOfCertificate("nonsense")).toThrow("Failed to read the X.509 certificate: ");
  expect(() => nodeIdOfCertificate(new Uint8Array(100_000))).toThrowErrorMatchingInlineSnapshot(
    `[IdentityError: Failed to read the X.509 certificate: it is larger than 65536 bytes]`,
  );
  expect(() => nodeIdOfCertificate(new Uint8Array())).toThrow("Failed to read the X.509 certificate: ");
});

test("DER values are written in their shortest form", () => {
  expect(toHex(derInteger(fromHex("000080")))).toBe("02020080");
  expect(toHex(derInteger(fromHex("0000")))).toBe("020100");
  expect(toHex(derSequence(new Uint8Array(127))).slice(0, 4)).toBe("307f");
  expect(toHex(derValue(4, new Uint8Array(128))).slice(0, 6)).toBe("048180");
  expect(toHex(derValue(4, new Uint8Array(300))).slice(0, 8)).toBe("0482012c");
  expect(new TextDecoder().decode(derTime(Date.UTC(2049, 11, 31, 23, 59, 59)).subarray(2))).toBe("491231235959Z");
  expect(new TextDecoder().decode(derTime(Date.UTC(2050, 0, 1)).subarray(2))).toBe("20500101000000Z");
});
