import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { IdentityError, nodeIdOfCertificate, toHex } from "@vedette/crypto";

/** The result of checking a certificate: the node's id, or why it proves none. @spec 10 §2, §3.1 */
export type CertifiedPeer = { readonly id: string } | { readonly problem: string };

/**
 * Reads the node id that the certificate of the other end proves.
 *
 * There is no authority, no validity period and no revocation: an id *is* the hash of the key, and only the holder
 * of the key can complete the TLS handshake.
 *
 * @spec 10 §2, §3.1, 61 §16.1
 */
function certifiedPeer(certificate: X509Certificate | undefined, commonNameAlwaysCounts: boolean): CertifiedPeer {
  if (certificate === undefined) return { problem: "Peer presented no certificate" };
  let id: string;
  try {
    id = toHex(nodeIdOfCertificate(certificate.raw));
  } catch (error) {
    const wrongKey = error instanceof IdentityError && error.failure.code === "certificateNotP256";
    return { problem: wrongKey ? "Certificate's public key has the wrong algorithm" : "Certificate cannot be read" };
  }
  if (!isNamed(certificate, id, commonNameAlwaysCounts))
    return { problem: "Certificate's public address doesn't match the hostname" };
  return { id };
}

/** The names are the alternative DNS names; the subject's common name where there are none, or always. */
function isNamed(certificate: X509Certificate, id: string, commonNameAlwaysCounts: boolean): boolean {
  const subject = commonNameAlwaysCounts ? "always" : "default";
  try {
    return certificate.checkHost(id, { subject, wildcards: false }) !== undefined;
  } catch {
    // A name of a kind that no certificate should have is no name.
    return false;
  }
}

/**
 * The same for an open TLS connection.
 *
 * @param commonNameAlwaysCounts a fact of the dialect
 * @spec 10 §3.1
 */
export function certifiedPeerOf(socket: Socket, commonNameAlwaysCounts: boolean): CertifiedPeer {
  const read = (socket as TLSSocket).getPeerX509Certificate;
  if (typeof read !== "function") return { problem: "No TLS Session" };
  return certifiedPeer(read.call(socket), commonNameAlwaysCounts);
}
