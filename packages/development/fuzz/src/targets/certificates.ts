import { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { createNodeCertificate, IdentityError, nodeIdOfCertificate, readNodeKey, toHex } from "@vedette/crypto";
import { certifiedPeerOf } from "@vedette/network/testing";
import { must, refusedAs, type Target } from "../driver/Target.js";

const own = createNodeCertificate(1_600_000_000_000);
const decoder = new TextDecoder();

/** The certificate that the other end of a connection presents. */
export const certificates: Target = {
  name: "certificates",
  about: "a certificate proves the id of its key, if it names it, or nothing; a key file is a key or an IdentityError",
  cost: "expensive",
  files: ["crypto/identity/nodeId.js", "crypto/identity/certificate.js", "network/transport/verifyPeer.js"],
  maxBytes: 1_200,
  words: [own.privateKeyPem, own.certificatePem, "-----BEGIN CERTIFICATE-----", "-----BEGIN PRIVATE KEY-----"],
  *seeds() {
    yield new Uint8Array(new X509Certificate(own.certificatePem).raw);
    yield new TextEncoder().encode(own.certificatePem);
    yield new TextEncoder().encode(own.privateKeyPem);
  },
  run(input) {
    let id: string | undefined;
    try {
      id = toHex(nodeIdOfCertificate(input));
    } catch (error) {
      refusedAs(error, IdentityError);
    }
    checkConnection(input, id);
    try {
      must(readNodeKey(decoder.decode(input)).type === "private", "a key file holds a private key");
    } catch (error) {
      refusedAs(error, IdentityError);
    }
  },
  show: toHex,
};

function checkConnection(input: Uint8Array, id: string | undefined): void {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(input);
  } catch {
    must(id === undefined, "what is no certificate has no id");
    return;
  }
  const socket = { getPeerX509Certificate: () => certificate } as unknown as Socket;
  const strict = certifiedPeerOf(socket, false);
  const other = certifiedPeerOf(socket, true);
  must(!("id" in strict) || "id" in other, "more names are not fewer");
  for (const peer of [strict, other]) {
    if ("id" in peer) must(peer.id === id, "a connection is with the id that the certificate has");
    else must(peer.problem.length > 0, "a refusal states its reason");
  }
}
