import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  createNodeCertificate,
  isSecp256k1PrivateKey,
  secp256k1PublicKeyOf,
  toHex,
  vaultAddressOfPublicKey,
} from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { LocalNetworkError } from "./LocalNetworkError.js";
import { type NetworkSettings, parseSettings, printSettings } from "./NetworkSettings.js";
import { configText, identityFiles, isLone, type NetworkIdentity, rhythmKey, validatorKeyFile } from "./nodeConfig.js";
import type { NetworkPlan, NodePlan } from "./planNetwork.js";

/** A vault of genesis with its key, for tests only. */
export interface TestWallet {
  readonly name: string;
  readonly address: string;
  readonly publicKey: string;
  readonly privateKey: string;
  readonly balance: bigint;
}

/** The stored facts about a network that has been made. */
export interface StoredNetwork {
  readonly settings: NetworkSettings;
  readonly identity: NetworkIdentity;
}

/** Files in a network's directory that describe the network. */
export const networkFile = "network.json";
/** The test wallets with their keys. */
export const walletsFile = "wallets.json";
/** The folder with each wallet's key as a file, as commands take it. */
export const walletsFolder = "wallets";
/** The file that a node reads at its start. @spec 50 §5.1 */
export const configFile = "rnode.conf";
const kind = "vedette local network";

/**
 * Makes keys, certificates and the files of genesis.
 *
 * @param folder where to: the plan's own directory, or one that is moved there when all is done
 */
export function createNetworkFiles(plan: NetworkPlan, folder: string, nowMs: number): StoredNetwork {
  const nodeIds: Record<string, string> = {};
  const validatorKeys: Record<string, string> = {};
  for (const node of plan.nodes) {
    const made = createNodeFiles(join(folder, node.name), node, nowMs);
    nodeIds[node.name] = made.nodeId;
    if (made.publicKey !== undefined) validatorKeys[node.name] = made.publicKey;
  }
  const { stake, balance, wallets: count } = plan.settings;
  const bonds = Object.values(validatorKeys).map((key) => `${key} ${stake}\n`);
  const wallets = Array.from({ length: count }, (_, at) => newWallet(`wallet${at + 1}`, balance));
  const networkId = `local-${randomBytes(4).toString("hex")}`;
  const addresses = wallets.map(({ address }) => address);
  if (isLone(plan)) addresses.push(vaultAddressOfPublicKey(secp256k1PublicKeyOf(rhythmKey(networkId)))!);
  const vaults = addresses.map((address) => `${address},${balance}\n`);
  writePrivate(join(folder, "genesis", "bonds.txt"), bonds.join(""));
  writePrivate(join(folder, "genesis", "wallets.txt"), vaults.join(""));
  for (const { name, privateKey } of wallets) writePrivate(join(folder, walletKeyPath(name)), `${privateKey}\n`);
  const printed = wallets.map((wallet) => ({ ...wallet, balance: String(wallet.balance) }));
  writePrivate(join(folder, walletsFile), `${JSON.stringify(printed, undefined, 2)}\n`);
  const identity = { networkId, nodeIds, validatorKeys };
  for (const node of plan.nodes) writePrivate(join(folder, node.name, configFile), configText(plan, node, identity));
  return { settings: plan.settings, identity };
}

/** A node's certificate, and its validator key where it has one. @param privateKey a key that is there already */
export function createNodeFiles(
  folder: string,
  node: NodePlan,
  nowMs: number,
  privateKey: string = newPrivateKey(),
): { readonly nodeId: string; readonly publicKey: string | undefined } {
  const { nodeId, certificatePem, privateKeyPem } = createNodeCertificate(nowMs);
  writePrivate(join(folder, identityFiles.certificate), certificatePem);
  writePrivate(join(folder, identityFiles.key), privateKeyPem);
  const isSigning = node.role === "validator";
  if (isSigning) writePrivate(join(folder, validatorKeyFile), `${privateKey}\n`);
  const publicKey = isSigning ? toHex(secp256k1PublicKeyOf(Buffer.from(privateKey, "hex"))) : undefined;
  return { nodeId: toHex(nodeId), publicKey };
}

/** Writes what each node reads at its start, and what the network is. */
export function writeNetworkFiles(plan: NetworkPlan, stored: StoredNetwork): void {
  for (const node of plan.nodes) writeNodeConfig(plan, node, stored.identity);
  const nodes = plan.nodes.map(({ name, role, ports }) => ({ name, role, ports }));
  const { identity } = stored;
  const text = JSON.stringify({ kind, settings: printSettings(plan.settings), identity, nodes }, undefined, 2);
  writePrivate(join(plan.directory, networkFile), `${text}\n`);
}

/** Writes one node's `rnode.conf`. */
export function writeNodeConfig(
  plan: NetworkPlan,
  node: NodePlan,
  identity: NetworkIdentity,
  more: Parameters<typeof configText>[3] = {},
): void {
  writePrivate(configPath(node), configText(plan, node, identity, more));
}

/** Where a wallet's key is, within the network's directory. */
export function walletKeyPath(name: string): string {
  return join(walletsFolder, `${name}.key`);
}

/** Returns the path of a node's configuration. */
export function configPath(node: NodePlan): string {
  return join(node.directory, configFile);
}

/**
 * Reads the network that was made in a directory; `undefined` without one.
 *
 * @throws {LocalNetworkError} `damaged`
 */
export function readNetwork(directory: string): StoredNetwork | undefined {
  const path = join(directory, networkFile);
  const value = readJson(path);
  if (value === undefined) return undefined;
  try {
    const { kind: found, settings, identity } = value as Record<string, unknown>;
    if (found !== kind) throw new TypeError("it does not describe a local network");
    return { settings: parseSettings(settings), identity: parseIdentity(identity) };
  } catch (error) {
    throw damaged(path, error);
  }
}

/**
 * Reads the nodes of the network in a directory, for commands that use the network.
 *
 * @throws {LocalNetworkError} `damaged`, `missing`
 */
export function readNetworkNodes(directory: string): readonly Pick<NodePlan, "name" | "role" | "ports">[] {
  const path = join(directory, networkFile);
  const value = readJson(path);
  if (value === undefined) throw new LocalNetworkError({ code: "missing", directory });
  const { kind: found, nodes } = value as Record<string, unknown>;
  if (found !== kind || !Array.isArray(nodes)) throw damaged(path, new TypeError("it lists no nodes"));
  return nodes;
}

/**
 * The test wallets of a network.
 *
 * @throws {LocalNetworkError} `damaged`
 */
export function readWallets(directory: string): readonly TestWallet[] {
  const path = join(directory, walletsFile);
  const value = readJson(path);
  try {
    if (!Array.isArray(value)) throw new TypeError("there is no list of wallets");
    return value.map((one: Record<string, string>) => ({
      name: String(one["name"]),
      address: String(one["address"]),
      publicKey: String(one["publicKey"]),
      privateKey: String(one["privateKey"]),
      balance: BigInt(String(one["balance"])),
    }));
  } catch (error) {
    throw damaged(path, error);
  }
}

function parseIdentity(value: unknown): NetworkIdentity {
  const { networkId, nodeIds, validatorKeys } = (value ?? {}) as Record<string, unknown>;
  if (typeof networkId !== "string") throw new TypeError("the name of the network is missing");
  return { networkId, nodeIds: textsOf(nodeIds), validatorKeys: textsOf(validatorKeys) };
}

function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) throw new TypeError("keys of nodes are missing");
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw damaged(path, error);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw damaged(path, error);
  }
}

function damaged(path: string, error: unknown): LocalNetworkError {
  const reason = errorText(error);
  return new LocalNetworkError({ code: "damaged", path, reason }, { cause: error });
}

function newWallet(name: string, balance: bigint): TestWallet {
  const privateKey = newPrivateKey();
  const publicKey = secp256k1PublicKeyOf(Buffer.from(privateKey, "hex"));
  return { name, address: vaultAddressOfPublicKey(publicKey)!, publicKey: toHex(publicKey), privateKey, balance };
}

function newPrivateKey(): string {
  for (;;) {
    const key = randomBytes(32);
    if (isSecp256k1PrivateKey(key)) return toHex(key);
  }
}

/** For the owner's eyes only: keys, and what leads to them. */
function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
}
