import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  nodeIdOfCertificate,
  readPrivateKeyFile,
  secp256k1PublicKeyOf,
  toHex,
  vaultAddressOfPublicKey,
} from "@vedette/crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { LocalNetworkError } from "./LocalNetworkError.js";
import type { NetworkSettings } from "./NetworkSettings.js";
import { readNetworkNodes, readWallets } from "./networkFiles.js";
import { type OpenOptions, openNetwork } from "./openNetwork.js";
import type { PortPlan } from "./planNetwork.js";
import { findPortOwner, listeningInodes } from "./portOwner.js";

let folder = "";
let directory = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vedette-test-"));
  directory = join(folder, "network");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Ports of which 0 is always free. */
const noPorts = (_index: number): PortPlan => ({
  protocol: 0,
  grpcExternal: 0,
  grpcInternal: 0,
  http: 0,
  discovery: 0,
  adminHttp: 0,
});

function open(given: Partial<NetworkSettings> = {}, more: Partial<OpenOptions> = {}) {
  return openNetwork({ directory, given, isFresh: false, placement: { choosePorts: noPorts }, ...more });
}

async function failureOf(opening: Promise<unknown>) {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LocalNetworkError);
  return (error as LocalNetworkError).failure;
}

test("a new network has new keys, readable for the owner alone, and genesis files that name them", async () => {
  await using network = await open({ wallets: 2, stake: 12n });
  expect(network.isNew).toBe(true);
  const { validatorKeys, nodeIds } = network.identity;
  const bonds = readFileSync(network.plan.bondsFile, "utf8").trimEnd().split("\n");
  for (const [at, name] of ["validator1", "validator2", "validator3"].entries()) {
    const key = join(directory, name, "validator.key");
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(toHex(secp256k1PublicKeyOf(readPrivateKeyFile(key)))).toBe(validatorKeys[name]);
    expect(bonds[at]).toBe(`${validatorKeys[name]} 12`);
    expect(toHex(nodeIdOfCertificate(readFileSync(join(directory, name, "node.certificate.pem"), "utf8")))).toBe(
      nodeIds[name],
    );
  }
  for (const name of ["bootstrap", "observer"]) expect(existsSync(join(directory, name, "validator.key"))).toBe(false);
  const vaults = readFileSync(network.plan.walletsFile, "utf8").trimEnd().split("\n");
  expect(vaults).toEqual(network.wallets.map(({ address, balance }) => `${address},${balance}`));
  const [wallet] = readWallets(directory);
  expect(toHex(readPrivateKeyFile(join(directory, "wallets", "wallet1.key")))).toBe(wallet!.privateKey);
  expect(readNetworkNodes(directory).map(({ name }) => name)).toEqual(network.plan.nodes.map(({ name }) => name));
  expect(statSync(directory).mode & 0o777).toBe(0o700);
});

test("only a validator that is alone has a key for filler deploys, with coins", async () => {
  await using network = await open({ validators: 1, wallets: 1, balance: 77n });
  const vaults = readFileSync(network.plan.walletsFile, "utf8").trimEnd().split("\n");
  const config = (name: string) => readFileSync(join(directory, name, "rnode.conf"), "utf8");
  const key = /^dev\.deployer-private-key = "([0-9a-f]{64})"$/m.exec(config("validator1"))?.[1];
  const address = vaultAddressOfPublicKey(secp256k1PublicKeyOf(Buffer.from(key!, "hex")));
  expect(vaults).toEqual([`${network.wallets[0]!.address},77`, `${address},77`]);
  expect(config("observer")).not.toMatch(/^dev/m);
});

test("a second start goes on with the same keys; settings of genesis cannot change", async () => {
  const first = await open({ validators: 2 });
  await first[Symbol.asyncDispose]();
  const second = await open({ rhythmMs: 900 });
  expect(second.isNew).toBe(false);
  expect(second.identity).toEqual(first.identity);
  expect(second.wallets).toEqual(first.wallets);
  expect(second.plan.settings).toEqual({ ...first.plan.settings, rhythmMs: 900 });
  await second[Symbol.asyncDispose]();
  expect(await failureOf(open({ validators: 3 }))).toMatchObject({
    code: "settingsDiffer",
    options: [{ option: "validators", stored: "2" }],
  });
});

test("two launchers never run one network", async () => {
  await using network = await open();
  expect(network.isNew).toBe(true);
  expect(await failureOf(open({}, { isFresh: true }))).toMatchObject({ code: "alreadyRunning" });
  expect(existsSync(join(directory, "network.json"))).toBe(true);
});

test("to begin anew removes what was made here, and nothing else", async () => {
  const first = await open();
  await first[Symbol.asyncDispose]();
  writeFileSync(join(directory, "notes.txt"), "mine");
  mkdirSync(join(directory, "observer", "chain"));
  const second = await open({ validators: 2 }, { isFresh: true });
  await second[Symbol.asyncDispose]();
  expect([...second.removed].sort()).toEqual([
    "bootstrap",
    "genesis",
    "network.json",
    "observer",
    "validator1",
    "validator2",
    "validator3",
    "wallets",
    "wallets.json",
  ]);
  expect(readFileSync(join(directory, "notes.txt"), "utf8")).toBe("mine");
  expect(existsSync(join(directory, "validator3"))).toBe(false);
  expect(existsSync(join(directory, "observer", "chain"))).toBe(false);
  expect(second.identity.networkId).not.toBe(first.identity.networkId);
});

test("a directory with other things is left alone, for any request", async () => {
  mkdirSync(join(directory, "genesis"), { recursive: true });
  writeFileSync(join(directory, "genesis", "photo.jpg"), "");
  expect(await failureOf(open())).toMatchObject({ code: "notOurs" });
  expect(await failureOf(open({}, { isFresh: true }))).toMatchObject({ code: "notOurs" });
  expect(existsSync(join(directory, "genesis", "photo.jpg"))).toBe(true);
});

test("an interrupted attempt begins again; a damaged description is refused", async () => {
  const first = await open();
  await first[Symbol.asyncDispose]();
  rmSync(join(directory, "network.json"));
  mkdirSync(join(directory, ".draft-x"));
  const second = await open();
  await second[Symbol.asyncDispose]();
  expect(second.isNew).toBe(true);
  expect(existsSync(join(directory, ".draft-x"))).toBe(false);
  for (const text of ["{", "{}", '{"kind":"vedette local network"}', "null"]) {
    writeFileSync(join(directory, "network.json"), text);
    expect(await failureOf(open())).toMatchObject({ code: "damaged", path: join(directory, "network.json") });
  }
  expect(
    await failureOf(openNetwork({ directory: join(directory, "network.json"), given: {}, isFresh: false })),
  ).toMatchObject({ code: "notUsable" });
});

test("a port that another program has is reported with its node, its use and its owner", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  const choosePorts = (index: number) => ({ ...noPorts(index), http: index === 2 ? port : 0 });
  const failure = await failureOf(open({}, { placement: { choosePorts } }));
  const owner = await findPortOwner(port);
  server.close();
  expect(failure).toMatchObject({ code: "portsInUse", ports: [{ node: "validator2", name: "HTTP", port }] });
  if (process.platform === "linux") expect(owner?.pid).toBe(process.pid);
  expect(existsSync(join(directory, "network.json"))).toBe(false);
});

test("sockets that listen are found in the kernel's table", () => {
  const table = [
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode",
    "   0: 0100007F:9DD0 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0000000000000000",
    "   1: 0100007F:9DD0 0100007F:1234 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 0000000000000000",
  ].join("\n");
  expect(listeningInodes(table, 40400)).toEqual(["4711"]);
  expect(listeningInodes(table, 40401)).toEqual([]);
});
