import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { keccak256, toHex } from "@vedette/crypto";

/** A node of a test: certificate and key as PEM texts, and the id that they prove. */
export interface TestIdentity {
  readonly id: string;
  readonly certificate: string;
  readonly privateKey: string;
}

/** The irregularities of a test's certificate. */
export interface Oddity {
  readonly curve?: "prime256v1" | "secp384r1";
  readonly commonName?: string;
  readonly dnsName?: string;
  /** f1r3node names itself so. */
  readonly idAsDnsName?: boolean;
}

/** Makes a certificate as 10 §2 wants it, or one that is wrong in a way that we choose. */
export function testIdentity({ curve = "prime256v1", commonName, dnsName, idAsDnsName }: Oddity = {}): TestIdentity {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: curve });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  const id = toHex(keccak256(point).subarray(12));
  const der = certificateOf(commonName ?? id, idAsDnsName === true ? id : dnsName, privateKey, publicKey);
  const base64 = der.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    id,
    certificate: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----`,
    privateKey: privateKey.export({ format: "pem", type: "pkcs8" }) as string,
  };
}

function certificateOf(name: string, dnsName: string | undefined, privateKey: KeyObject, publicKey: KeyObject): Buffer {
  const algorithm = der(0x30, Buffer.from("06082a8648ce3d040302", "hex"));
  const commonName = der(0x30, Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from(name)));
  const subject = der(0x30, der(0x31, commonName));
  const validity = der(0x30, der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("210101000000Z")));
  const key = publicKey.export({ format: "der", type: "spki" });
  const parts = [
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    algorithm,
    subject,
    validity,
    subject,
    key,
  ];
  if (dnsName !== undefined) {
    const names = der(0x30, der(0x82, Buffer.from(dnsName)));
    parts.push(der(0xa3, der(0x30, der(0x30, Buffer.from("0603551d11", "hex"), der(0x04, names)))));
  }
  const signed = der(0x30, ...parts);
  const signature = sign("sha256", signed, privateKey);
  return der(0x30, signed, algorithm, der(0x03, Buffer.of(0), signature));
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const header = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...header), content]);
}
