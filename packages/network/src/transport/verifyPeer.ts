import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { IdentityError, nodeIdOfCertificate, toHex } from "@vedette/crypto";

/** What a certificate proves: the node's id, or why it proves none. @spec 10 §2, §3.1 */
export type CertifiedPeer = { readonly id: string } | { readonly problem: string };

/**
 * Reads the node id that the certificate of the other end proves.
 *
 * There is no authority, no validity period and no revocation: an id *is* the hash of the key, and only the holder
 * of the key can complete the TLS handshake.
 *
 * @spec 10 §2, §3.1
 */
function certifiedPeer(certificate: X509Certificate | undefined): CertifiedPeer {
  if (certificate === undefined) return { problem: "Peer presented no certificate" };
  let id: string;
  try {
    id = toHex(nodeIdOfCertificate(certificate.raw));
  } catch (error) {
    const wrongKey = error instanceof IdentityError && error.failure.code === "certificateNotP256";
    return { problem: wrongKey ? "Certificate's public key has the wrong algorithm" : "Certificate cannot be read" };
  }
  if (!isNamed(certificate, id)) return { problem: "Certificate's public address doesn't match the hostname" };
  return { id };
}

/** The names are the alternative DNS names if there are any, otherwise the subject's common name. */
function isNamed(certificate: X509Certificate, id: string): boolean {
  try {
    return certificate.checkHost(id, { subject: "default", wildcards: false }) !== undefined;
  } catch {
    // A name of a kind that no certificate should have is no name.
    return false;
  }
}

/** The same for an open TLS connection. @spec 10 §3.1 */
export function certifiedPeerOf(socket: Socket): CertifiedPeer {
  const read = (socket as TLSSocket).getPeerX509Certificate;
  if (typeof read !== "function") return { problem: "No TLS Session" };
  return certifiedPeer(read.call(socket));
}
