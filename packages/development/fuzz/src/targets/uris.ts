import {
  BytesError,
  checkVaultAddress,
  equalBytes,
  fromHex,
  isBase58,
  parseBase58,
  printBase58,
  printZbase32,
  registryUri,
  toHex,
  vaultAddressOfEthAddress,
  vaultAddressOfUnforgeable,
} from "@vedette/crypto";
import { peerOfUri, peerUri } from "@vedette/network";
import { parseNodeUri, printNodeUri, WireError } from "@vedette/protocol";
import { must, refusedAs } from "../driver/Target.js";
import { textTarget } from "../driver/textTarget.js";

const encoder = new TextEncoder();
const id = "bc256695284d2165d69e2c9c386a83d8997bb4c8";

export const uris = textTarget({
  name: "uris",
  about: "addresses of nodes, of vaults and of the registry are read as they are printed, or refused as such",
  cost: "cheap",
  files: ["protocol/peer/", "network/Peer.js", "crypto/address/", "crypto/bytes/"],
  words: [
    "rnode://",
    "@",
    "?",
    "protocol=",
    "&",
    "discovery=",
    "[::1]",
    "40400",
    "#",
    "/",
    "127.0.0.1",
    id,
    "rho:id:",
    "0x",
  ],
  maxBytes: 300,
  texts: () => [
    `rnode://${id}@127.0.0.1?protocol=40400&discovery=40404`,
    `rnode://${id}@[::1]?discovery=1&protocol=2`,
    vaultAddressOfUnforgeable(Uint8Array.of(1, 2, 3)),
    registryUri(new Uint8Array(32)),
    "0x0102030405060708090a0b0c0d0e0f1011121314",
    "2VfUX",
  ],
  check: (text) => {
    checkNode(text);
    checkBase58(text);
    checkHex(text);
    const fault = checkVaultAddress(text);
    if (fault === undefined) must(isBase58(text), "a good address is Base58");
    const address = vaultAddressOfEthAddress(text);
    must(address === undefined || checkVaultAddress(address) === undefined, "an address that is made is a good one");
    const bytes = encoder.encode(text);
    must(checkVaultAddress(vaultAddressOfUnforgeable(bytes)) === undefined, "a name's address is a good one");
    must(/^[a-z0-9]*$/.test(printZbase32(bytes, bytes.length * 8)), "zbase32 is letters and digits");
    if (bytes.length >= 32) must(/^rho:id:[a-z0-9]{54}$/.test(registryUri(bytes.subarray(0, 32))), "a registry URI");
  },
});

function checkNode(text: string): void {
  try {
    const node = parseNodeUri(text);
    must(node.protocolPort < 2 ** 16 && node.discoveryPort < 2 ** 16, "a port has 16 bits");
    const printed = printNodeUri(node);
    must(printNodeUri(parseNodeUri(printed)) === printed, "an address is read as it was printed");
    must(peerUri(peerOfUri(printed)) === printed, "a peer's address is read as it was printed");
  } catch (error) {
    refusedAs(error, WireError);
  }
}

function checkBase58(text: string): void {
  if (!isBase58(text)) return;
  const bytes = parseBase58(text);
  must(bytes !== undefined && printBase58(bytes) === text, "Base58 is printed as it was read");
}

function checkHex(text: string): void {
  try {
    must(toHex(fromHex(text)) === text.toLowerCase(), "hex digits are printed as they were read");
  } catch (error) {
    refusedAs(error, BytesError);
  }
  const bytes = encoder.encode(text);
  must(equalBytes(fromHex(toHex(bytes)), bytes), "bytes are read as they were printed");
}
