import { fromHex, toHex } from "@vedette/crypto";
import {
  channelHash,
  encodeBindPattern,
  encodeContinuation,
  encodePar,
  GByteArray,
  GDeployerId,
  GInt,
  GPrivate,
  GString,
  nil,
  Par,
  printPar,
  sysAuthToken,
} from "@vedette/terms";
import { consumeEvent } from "@vedette/tuplespace";
import { describe, expect, test } from "vitest";
import { FatalError } from "../evaluate/FatalError.js";
import { fixedChannels } from "./channels.js";
import { installSystemProcesses } from "./install.js";
import { externalProcesses, grpcTellRef, systemProcesses } from "./processes.js";
import { factsAtRest, type SystemFacts } from "./SystemFacts.js";

const ack = Par.of({ exprs: [new GString("ack")] });
const string = (value: string) => Par.of({ exprs: [new GString(value)] });
const integer = (value: bigint) => Par.of({ exprs: [new GInt(value)] });
const bytes = (hex: string) => Par.of({ exprs: [new GByteArray(fromHex(hex))] });
const deployerId = (hex: string) => Par.of({ unforgeables: [new GDeployerId(fromHex(hex))] });
const name = (hex: string) => Par.of({ unforgeables: [new GPrivate(fromHex(hex))] });
const key =
  "00322ba649cebf90d8bd0eeb0658ea7957bcc59ecee0676c86f4fec517c06251" +
  "0031122ba649cebf90d8bd0eeb0658ea7957bcc59ecee0676c86f4fec517c06251";
const address = "1111eEt66obfqvEcKeD3ajeupzsfj6PdSQccNNaRmCoy6Dhv1wM9E";

/** Returns the reply of a process, as text; it must reply on `ack`. */
function call(urn: string, args: readonly Par[], facts: SystemFacts = factsAtRest): string {
  const { bodyRef } = fixedChannels.find((channel) => channel.urn === urn)!;
  const reply = systemProcesses.get(bodyRef!)!([...args, ack], facts);
  expect(reply?.ack).toBe(ack);
  return reply!.values.map((value) => printPar(value)).join(", ");
}

test("every fixed channel with a number has a process", () => {
  for (const { bodyRef } of fixedChannels) {
    if (bodyRef === undefined) continue;
    expect(systemProcesses.has(bodyRef) || externalProcesses.has(bodyRef) || bodyRef === grpcTellRef).toBe(true);
  }
  expect(new Set(fixedChannels.map(({ byte }) => byte)).size).toBe(fixedChannels.length);
});

test.each([
  [
    "rho:io:stdout",
    "3a050a030a0100",
    "0a0b2a079a01040a02100050011801",
    "1000",
    "a078543daf2bd5b92af5f2d4eb075e61fc8aede668ed83ed162aa3c2f5d81840",
    "5a60c3b2ae3495eb2b7b570f6e493fc726e6389406fbd0f97d291730a8272db9",
  ],
  [
    "rho:io:stdoutAck",
    "3a050a030a0101",
    "0a0b2a079a01040a02100050010a0b2a079a01040a02100250011802",
    "1001",
    "094f7e765fdd55596542777ff31080e92146607ff461bc52c7cfadbf20467b11",
    "aae350543007343d51026a947d341646dd336614813fb504c5c0bbd7de8a96c1",
  ],
  [
    "rho:crypto:keccak256Hash",
    "3a050a030a0106",
    "0a0b2a079a01040a02100050010a0b2a079a01040a02100250011802",
    "1006",
    "8556af25dc38d71efefac99ef40eb29a7e59c5eb55446ac8e53f61daf7407855",
    "550593d98a8aad174b448047a318cbe5f5aa9a5dbaa27e8c5add94feb49323ca",
  ],
  [
    "rho:crypto:secp256k1Verify",
    "3a050a030a0108",
    "0a0b2a079a01040a02100050010a0b2a079a01040a02100250010a0b2a079a01040a02100450010a0b2a079a01040a02100650011804",
    "1009",
    "6f9734b091608bb2c5d1b9cc0aa6f1cad9527d89369f250342491603fcf74ed6",
    "56c8b6fe593d3ab248db1e9af81c7c8aca9b6f76290ef913c445cbcd04e5aefc",
  ],
  [
    "rho:deploy:data",
    "3a050a030a011f",
    "0a0b2a079a01040a02100050011801",
    "101d",
    "e6803d6c6db051951a11d9083c1b89b3f1fecd2dce53a6363f46f890358709c4",
    "2d9561cd4826258a2401816198c8510fc6750e4430031eaf58610cafdc814228",
  ],
])("%s is installed with rnode's bytes (21 §11.7)", (urn, channel, pattern, continuation, hash, consume) => {
  const { bodyRef } = fixedChannels.find((fixed) => fixed.urn === urn)!;
  let found = 0;
  installSystemProcesses({
    install: (channels, patterns, body) => {
      if (body.kind !== "SystemContinuation" || body.bodyRef !== BigInt(bodyRef!)) return;
      found += 1;
      expect(toHex(encodePar(channels[0]!))).toBe(channel);
      expect(toHex(encodeBindPattern(patterns[0]!))).toBe(pattern);
      expect(toHex(encodeContinuation(body))).toBe(continuation);
      expect(toHex(channelHash(channels[0]!))).toBe(hash);
      expect(toHex(consumeEvent([channelHash(channels[0]!)], patterns, body, true).hash)).toBe(consume);
    },
  });
  expect(found).toBe(1);
});

describe("rho:asi:address (21 §7.3, §11.5)", () => {
  const ask = (method: string, value: Par) => call("rho:asi:address", [string(method), value]);

  test("validates addresses, and takes what is no string for a good one", () => {
    expect(ask("validate", string(address))).toBe("Nil");
    expect(ask("validate", string(""))).toBe('"Invalid address length"');
    expect(ask("validate", string("0"))).toBe('"Invalid Base58 encoding"');
    expect(ask("validate", string(`${address.slice(0, -1)}F`))).toBe('"Invalid checksum"');
    expect(ask("validate", integer(1n))).toBe("Nil");
  });

  test("makes addresses of keys, deployers and names, or Nil of anything else", () => {
    expect(ask("fromPublicKey", bytes(key))).toBe(`"${address}"`);
    expect(ask("fromPublicKey", bytes(key.slice(2)))).toBe("Nil");
    expect(ask("fromPublicKey", string(key))).toBe("Nil");
    expect(ask("fromDeployerId", deployerId(key))).toBe(`"${address}"`);
    expect(ask("fromDeployerId", bytes(key))).toBe("Nil");
    expect(ask("fromUnforgeable", name("00".repeat(32)))).toBe(
      '"1111Rhun7B8zMbtWwLETtKAS5WLHRaZFLHjY6KikfeBogCf4hVPPD"',
    );
    expect(ask("fromUnforgeable", deployerId(key))).toBe("Nil");
  });

  test("an unknown method is fatal", () => {
    expect(() => ask("noSuchMethod", integer(1n))).toThrow(FatalError);
    expect(() => call("rho:asi:address", [integer(1n), integer(1n)])).toThrow(FatalError);
  });
});

test("rho:registry:ops makes URIs (21 §11.5)", () => {
  const ask = (value: Par) => call("rho:registry:ops", [string("buildUri"), value]);
  expect(ask(bytes(""))).toBe("`rho:id:b3midobghib5f4fmf4agbgq4w8e6mz48q68zxb94ipnh5hjxhqwj3i`");
  expect(ask(integer(1n))).toBe("Nil");
  expect(() => call("rho:registry:ops", [string("x"), bytes("")])).toThrow(FatalError);
});

test("rho:rchain:deployerId:ops gives the key of a deployer id alone", () => {
  const ask = (value: Par) => call("rho:rchain:deployerId:ops", [string("pubKeyBytes"), value]);
  expect(ask(deployerId("0a0b"))).toBe("0a0b");
  expect(ask(bytes("0a0b"))).toBe("Nil");
  expect(() => call("rho:rchain:deployerId:ops", [string("x"), bytes("")])).toThrow(FatalError);
});

test("sys:authToken:ops knows the token and nothing else", () => {
  const ask = (value: Par) => call("sys:authToken:ops", [string("check"), value]);
  expect(ask(Par.of({ unforgeables: [sysAuthToken] }))).toBe("true");
  expect(ask(Par.of({ unforgeables: [sysAuthToken, sysAuthToken] }))).toBe("false");
  expect(ask(nil)).toBe("false");
  expect(() => call("sys:authToken:ops", [nil, nil])).toThrow(FatalError);
});

test("facts about block and deploy are returned as they were given", () => {
  const facts: SystemFacts = {
    blockData: { timestamp: 5n, blockNumber: 7n, sender: fromHex("04"), sequenceNumber: 1 },
    deployData: { timestamp: 6n, deployer: fromHex("0a"), deployId: fromHex("0b") },
    invalidBlocks: string("map"),
    output: undefined,
  };
  expect(call("rho:block:data", [], facts)).toBe("7, 5, 04");
  expect(call("rho:deploy:data", [], facts)).toBe("6, DeployerId(0x0a), DeployId(0x0b)");
  expect(call("rho:casper:invalidBlocks", [], facts)).toBe('"map"');
  expect(call("rho:block:data", [])).toBe("0, 0, 00");
  expect(call("rho:casper:invalidBlocks", [])).toBe("Nil");
});

test("hashes are of byte arrays alone", () => {
  expect(call("rho:crypto:sha256Hash", [bytes("")])).toBe(
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
  expect(() => call("rho:crypto:keccak256Hash", [string("")])).toThrow("keccak256Hash expects a byte array");
});

test("a signature of a wrong length is fatal, a forged one is false", () => {
  const publicKey = bytes("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  const signature = bytes(
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
  );
  expect(call("rho:crypto:ed25519Verify", [bytes(""), signature, publicKey])).toBe("true");
  expect(call("rho:crypto:ed25519Verify", [bytes("00"), signature, publicKey])).toBe("false");
  expect(() => call("rho:crypto:ed25519Verify", [bytes(""), bytes("00"), publicKey])).toThrow(FatalError);
  expect(() => call("rho:crypto:secp256k1Verify", [bytes("00"), signature, publicKey])).toThrow(FatalError);
  expect(call("rho:crypto:secp256k1Verify", [bytes("00".repeat(32)), bytes("00"), bytes("00")])).toBe("false");
});
