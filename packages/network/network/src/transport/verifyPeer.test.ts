import { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { createNodeCertificate, fromHex, toHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import { certifiedPeerOf } from "./verifyPeer.js";

function peerOf(certificate: X509Certificate, commonNameAlwaysCounts = false) {
  return certifiedPeerOf({ getPeerX509Certificate: () => certificate } as unknown as Socket, commonNameAlwaysCounts);
}

test("a node's own certificate proves its id", () => {
  const { certificatePem, nodeId } = createNodeCertificate(1_600_000_000_000);
  expect(peerOf(new X509Certificate(certificatePem))).toEqual({ id: toHex(nodeId) });
});

// Found by fuzzing: the library throws where the subject's name is of a kind that it cannot turn into a text.
test("a certificate with an unreadable name proves nothing, and is no exception", () => {
  const certificate = fromHex(
    "3082015c30820101a003020102020900936c4f1ca746608c300a06082a8648ce3d04030230333131302f06035504030c2839623233383335353436366535626337353733646465383966663764336663343630306432393162301e170d3230303931333132323634305a170d3231303931333132323634305a30333131302f06035504030b28396232333833353534363665356263373537336464653839666637643366633436303064323931623059301306072a8648ce3d020106082a8648ce3d030107034200041c7d38082816f6f37302eb81eab43833a9a85d80038f0a9f60b66aa51bd579e7616eb6b399b18c22d3f2eaed5ed3c51fe9e7bdaf56635ea38cb4613bcc10b6e0300a06082a8648ce3d0403020349003046022100ec2153f870ccf9086f2432eec92070f9dda8dd1cd569ad7568a765e779b8529f022100be152329527889dee66625bd2ccb5675562b0a550db9b3fd9926867d4ddfccf0",
  );
  expect(peerOf(new X509Certificate(certificate))).toEqual({
    problem: "Certificate's public address doesn't match the hostname",
  });
});
