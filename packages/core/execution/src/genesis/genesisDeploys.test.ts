import { f1r3nodeContracts, systemContracts } from "@vedette/contracts";
import { compareSignedBytes, toHex } from "@vedette/crypto";
import { checkDeploySignature, decodeBlock, f1r3node, rnode, signDeploy } from "@vedette/protocol";
import { printPar } from "@vedette/terms";
import { areRecordingsThere, lengthPrefixed, readChainFile, recordedBlocks } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { ordinaryProgram, runProgram } from "../contractTest/contractProgram.js";
import { f1r3nodeTestParameters } from "../contractTest/f1r3nodeGenesisState.js";
import { genesisState, testAddress, testKey, testParameters } from "../contractTest/genesisState.js";
import { fillMacros, posMacros, sortBonds, stripMargin } from "./contractTerm.js";
import { type F1r3nodeGenesisParameters, thresholdPpm } from "./F1r3nodeGenesisParameters.js";
import { f1r3nodeGenesis } from "./f1r3nodeGenesis.js";
import { GenesisError, type GenesisFailure } from "./GenesisError.js";
import type { GenesisParameters } from "./GenesisParameters.js";
import { genesisDeploys } from "./genesisDeploys.js";
import { rnodeGenesis } from "./rnodeGenesis.js";
import { contractSigner, systemPublicKeys, vaultSigner } from "./systemKeys.js";
import { vaultBatches } from "./vaultBatches.js";

const wallets = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ address: "1111abc", balance: BigInt(index) }));

describe("the deploys of genesis", () => {
  const deploys = genesisDeploys({ ...testParameters(), shardId: "dev", wallets: wallets(201) }, rnodeGenesis);

  test("come in their order", () => {
    const heads = deploys.map(({ term }) => term.split("\n")[0]!.slice(0, 60));
    const contracts = systemContracts.map((name) => `//Loaded from resource file <<${name}>>`);
    const fill = "new lookup(`rho:registry:lookup`), contractCh, initCh, fill i";
    expect(heads).toEqual([
      ...contracts.slice(0, 9),
      ...[fill, fill, fill].map((head) => head.slice(0, 60)),
      contracts[9],
    ]);
  });

  test("are signed with the keys and at the times of the protocol", () => {
    for (const deploy of deploys) expect(checkDeploySignature(deploy, f1r3node)).toBe(true);
    const times = deploys.map(({ timestamp }) => timestamp);
    expect(times).toEqual([
      1559156071321n,
      1559156082324n,
      1559156217509n,
      1559156251792n,
      1559156452968n,
      1559156356769n,
      1559156183943n,
      1571408470880n,
      1751539590099n,
      1565818101792n,
      1565818101793n,
      1565818101794n,
      1559156420651n,
    ]);
  });

  test("have no price, all phlo, and the shard of the network", () => {
    for (const { phloPrice, phloLimit, validAfterBlockNumber, shardId } of deploys)
      expect([phloPrice, phloLimit, validAfterBlockNumber, shardId]).toEqual([0n, 2147483647n, 0n, "dev"]);
  });

  test("are the same for the same parameters", () => {
    const signatures = (shardId: string) =>
      genesisDeploys({ ...testParameters(), shardId }, rnodeGenesis).map(({ signature }) => toHex(signature));
    expect(signatures("root")).toEqual(signatures("root"));
    expect(signatures("root")).not.toEqual(signatures("dev"));
  });

  test("fill no vaults where there are no wallets", () => {
    expect(genesisDeploys({ ...testParameters(), wallets: [] }, rnodeGenesis)).toHaveLength(10);
  });
});

if (areRecordingsThere)
  test.each(["solo", "trio"])("the recorded genesis of %s is signed as ours", (chain) => {
    const block = decodeBlock(recordedBlocks(chain)[0]!.bytes, rnode.blockForm);
    const signers = [...systemContracts.slice(0, 9).map(contractSigner), vaultSigner, contractSigner("PoS.rhox")];
    const signatures = block.body.deploys.map(({ deploy }, index) => {
      const { term, phloLimit, phloPrice, validAfterBlockNumber, shardId } = deploy;
      const { key, timestamp } = signers[index]!;
      return signDeploy({ term, timestamp, phloLimit, phloPrice, validAfterBlockNumber, shardId }, key).signature;
    });
    expect(signatures.map(toHex)).toEqual(block.body.deploys.map(({ deploy }) => toHex(deploy.signature)));
    const macros = new Map(posMacros({ ...testParameters(), bonds: block.body.state.bonds }, compareSignedBytes));
    expect(block.body.deploys.at(-1)!.deploy.term).toContain(macros.get("initialBonds"));
    expect(sortBonds(block.body.state.bonds)).toEqual(block.body.state.bonds);
  });

test("a genesis with more wallets than one deploy fills", () => {
  const people = Array.from({ length: 102 }, (_, index) => `person ${index}`);
  const filled = people.map((name, index) => ({ address: testAddress(name), balance: BigInt(index + 1) }));
  const genesis = genesisState(systemContracts, { wallets: filled });
  const balances = ["person 0", "person 99", "person 100", "person 101"].map((name) => {
    const source = `new check(\`rho:rchain:deployId\`), lookup(\`rho:registry:lookup\`), found, vault in {
      lookup!(\`rho:rchain:asiVault\`, *found) |
      for (@(_, vaults) <- found) { @vaults!("findOrCreate", "${testAddress(name)}", *vault) } |
      for (@(true, found) <- vault) { @found!("balance", *check) }
    }`;
    return runProgram(genesis, { ...ordinaryProgram, source }).messages.map(([par]) => printPar(par!));
  });
  expect(balances).toEqual([["1"], ["100"], ["101"], ["102"]]);
});

test("the keys that may not deploy are all but that of Stack", () => {
  const refused = systemPublicKeys.map(toHex);
  const signers = systemContracts.filter((name) => name !== "Stack.rho").map((name) => toHex(testKey(name).publicKey));
  expect(refused).toEqual([...signers, toHex(vaultSigner.key.publicKey)]);
  expect(refused[0]).toBe(
    "045f6bf025bbf22360b15cbfab30383863b7fc8d47fea0314b03d42e82e45b57f38211385354e12b9ba54de2a8dc4fd986ff6487a8496453d8b7085a4becd5ea51",
  );
  expect(refused.at(-1)).toBe(
    "0468eb8bbfc35349a4cff95e643a98bc2365e6900fd4cd1bbbc7a7c52d3d8892ecf3b7aca8f95d6dccf6ee30b21487e328b6feec1476438f8c75c5519f11a57503",
  );
});

describe("the text of a contract", () => {
  test.each([
    ["a\n  # b\n#c\nd # e\n", "a\n b\nc\nd # e\n"],
    ["\n \t ## x", "\n# x"],
    ["#", ""],
    ["\n\n#x\n", "\n\nx\n"],
  ])("loses blanks with a #: %j", (text, stripped) => {
    expect(stripMargin(text)).toBe(stripped);
  });

  test("keeps macros without a value", () => {
    expect(
      fillMacros("$$a$$ $$b$$ $$a$$", [
        ["a", "$&$$b$$"],
        ["b", "2"],
      ]),
    ).toBe("$&2 2 $&2");
    expect(fillMacros("$$posPubKey$$", posMacros(testParameters(), compareSignedBytes))).toBe("$$posPubKey$$");
  });

  test("contain the parameters", () => {
    const bonds = [0x7f, 0x00, 0xff, 0x80].map((byte, index) => ({
      validator: Uint8Array.of(byte, 1),
      stake: BigInt(index),
    }));
    const parameters = { ...testParameters(), bonds, posMultiSigPublicKeys: ["aB", "01"], minimumBond: 3n };
    expect(Object.fromEntries(posMacros(parameters, compareSignedBytes))).toEqual({
      minimumBond: "3",
      maximumBond: "9223372036854775807",
      initialBonds:
        '{ "8001".hexToBytes() : 3,  "ff01".hexToBytes() : 2,  "0001".hexToBytes() : 1,  "7f01".hexToBytes() : 0}',
      epochLength: "10",
      quarantineLength: "10",
      numberOfActiveValidators: "100",
      posMultiSigPublicKeys: '[\n              "aB".hexToBytes(),\n              "01".hexToBytes()\n            ]',
      posMultiSigQuorum: "2",
    });
  });

  test("lists a key before the keys that begin with it", () => {
    const bonds = [[1, 2], [1], []].map((bytes) => ({ validator: Uint8Array.from(bytes), stake: 1n }));
    expect(sortBonds(bonds).map(({ validator }) => validator.length)).toEqual([0, 1, 2]);
  });
});

describe("wallets", () => {
  test("are filled a hundred a deploy, and all but the last deploy leave the way open", () => {
    const texts = vaultBatches(wallets(201));
    expect(texts.map((text) => text.split('("1111abc", ').length - 1)).toEqual([100, 100, 1]);
    expect(texts.map((text) => text.includes("initContinue!()"))).toEqual([true, true, false]);
    expect(vaultBatches(wallets(100))).toHaveLength(1);
    expect(vaultBatches([])).toEqual([]);
  });

  test("keep their order, twice the same too", () => {
    const twice = [
      { address: "b", balance: 1n },
      { address: "a", balance: 2n },
      { address: "b", balance: 3n },
    ];
    expect(vaultBatches(twice)[0]).toContain('[("b", 1), ("a", 2), ("b", 3)]');
  });
});

test.each<[string, Partial<GenesisParameters>, GenesisFailure["code"]]>([
  ["no validators", { bonds: [] }, "noValidators"],
  ["bond limits that exclude each other", { minimumBond: 2n, maximumBond: 1n }, "bondLimits"],
  ["a quorum that cannot be met", { posMultiSigQuorum: 4 }, "quorum"],
  ["a key that is program text", { posMultiSigPublicKeys: ['" | @0!(1) | "', "00", "00"] }, "invalidKey"],
  ["an address that is program text", { wallets: [{ address: '"', balance: 1n }] }, "invalidAddress"],
  ["a negative balance", { wallets: [{ address: "a", balance: -1n }] }, "invalidNumber"],
  ["a balance beyond 64 bits", { wallets: [{ address: "a", balance: 2n ** 63n }] }, "invalidNumber"],
  ["a stake beyond 64 bits", { bonds: [{ validator: Uint8Array.of(1), stake: 2n ** 63n }] }, "invalidNumber"],
  ["a fraction of an epoch", { epochLength: 1.5 }, "invalidNumber"],
  ["an epoch without blocks", { epochLength: 0 }, "invalidNumber"],
  ["no active validators", { numberOfActiveValidators: 0 }, "invalidNumber"],
  ["no quorum", { posMultiSigQuorum: 0 }, "invalidNumber"],
  ["no stake at all", { bonds: [{ validator: Uint8Array.of(1), stake: 0n }] }, "invalidNumber"],
  [
    "stakes beyond 64 bits together",
    { bonds: [1, 2].map((byte) => ({ validator: Uint8Array.of(byte), stake: 2n ** 62n })) },
    "invalidNumber",
  ],
])("%s are refused", (_, parameters, code) => {
  const found = () => genesisDeploys({ ...testParameters(), ...parameters }, rnodeGenesis);
  expect(found).toThrow(GenesisError);
  expect(found).toThrow(expect.objectContaining({ failure: expect.objectContaining({ code }) }));
});

describe("on f1r3node networks", () => {
  const parameters = { ...f1r3nodeTestParameters(), shardId: "dev", wallets: wallets(201) };
  const deploys = genesisDeploys(parameters, f1r3nodeGenesis);

  test("the deploys come in their order, without headings, with all phlo, at the times of the protocol", () => {
    for (const deploy of deploys) {
      expect(checkDeploySignature(deploy, f1r3node)).toBe(true);
      expect(deploy).toMatchObject({ phloLimit: 2n ** 63n - 1n, phloPrice: 0n, validAfterBlockNumber: 0n });
      expect(deploy.term).not.toMatch(/Loaded from resource|\$\$|rho:rchain:(pos|asiVault|authKey|makeMint)|ASI/);
    }
    expect(deploys.map(({ timestamp }) => timestamp)).toEqual([
      ...[1559156071321n, 1781568000000n, 1559156082324n, 1559156217509n, 1559156251792n, 1559156452968n],
      ...[1559156356769n, 1559156183943n, 1571408470880n, 1751539590099n, 1737500000000n],
      ...[1565818101792n, 1565818101793n, 1565818101794n, 1559156420651n],
    ]);
  });

  if (areRecordingsThere)
    test("the signers are those of the recorded genesis", () => {
      const { body } = f1r3nodeRecordedBlock();
      const signers = [...f1r3nodeContracts.slice(0, -1).map(contractSigner), vaultSigner, contractSigner("PoS.rhox")];
      expect(body.deploys.map(({ deploy }) => toHex(deploy.deployer))).toEqual(
        signers.map(({ key }) => toHex(key.publicKey)),
      );
      expect(body.deploys.map(({ deploy }) => deploy.timestamp)).toEqual(signers.map(({ timestamp }) => timestamp));
      const limits = new Set(body.deploys.map(({ deploy }) => deploy.phloLimit));
      expect([...limits]).toEqual([f1r3nodeGenesis.phloLimit]);
      const refused = new Set(f1r3nodeGenesis.forbiddenKeys.map(toHex));
      expect(body.deploys.every(({ deploy }) => refused.has(toHex(deploy.deployer)))).toBe(true);
      expect(refused.size).toBe(13);
    });

  test("keys are listed as unsigned bytes, and the threshold in parts of a million", () => {
    const bonds = [0x7f, 0x00, 0xff, 0x80].map((byte) => ({ validator: Uint8Array.of(byte, 1), stake: 1n }));
    const [pos] = genesisDeploys({ ...parameters, bonds, faultToleranceThresholdPpm: -7 }, f1r3nodeGenesis).slice(-1);
    const listed = [...pos!.term.matchAll(/"(\w\w01)"\.hexToBytes\(\) : 1/g)].map(([, key]) => key);
    expect(listed).toEqual(["0001", "7f01", "8001", "ff01"]);
    expect(pos!.term).toContain('PoS(@"getFaultToleranceThresholdPpm", ret) = { ret!(-7) }');
    expect(thresholdPpm(Math.fround(0.67))).toBe(670_000);
  });

  test.each<[string, Partial<F1r3nodeGenesisParameters>, GenesisFailure["code"]]>([
    ["a token without a name", { nativeToken: { name: "", symbol: "S", decimals: 1 } }, "tokenText"],
    ["a name that ends its text", { nativeToken: { name: '"', symbol: "S", decimals: 1 } }, "tokenText"],
    ["a symbol over two lines", { nativeToken: { name: "N", symbol: "a\nb", decimals: 1 } }, "tokenText"],
    [
      "a name that is a macro",
      { nativeToken: { name: "$$nativeTokenSymbol$$", symbol: "S", decimals: 1 } },
      "tokenText",
    ],
    ["more than 18 decimals", { nativeToken: { name: "N", symbol: "S", decimals: 19 } }, "outOfRange"],
    ["half a decimal", { nativeToken: { name: "N", symbol: "S", decimals: 0.5 } }, "outOfRange"],
    ["a threshold above 1", { faultToleranceThresholdPpm: 1_000_001 }, "outOfRange"],
    ["what no network takes", { epochLength: 0 }, "invalidNumber"],
  ])("%s is refused", (_, change, code) => {
    expect(() => genesisDeploys({ ...parameters, ...change }, f1r3nodeGenesis)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code }) }),
    );
  });
});

function f1r3nodeRecordedBlock() {
  const [genesis] = lengthPrefixed(readChainFile("solo-r", "blocks.bin"));
  return decodeBlock(genesis!, f1r3node.blockForm);
}
