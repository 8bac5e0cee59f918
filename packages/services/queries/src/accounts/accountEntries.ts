import { fromHex, toHex } from "@vedette/crypto";

/** A deploy in a block. */
export interface DeployEntry {
  readonly deployId: Uint8Array;
  readonly deployer: Uint8Array;
  readonly sigAlgorithm: string;
  /** Milliseconds. */
  readonly timestamp: bigint;
  readonly phloPrice: bigint;
  readonly phloLimit: bigint;
  readonly validAfterBlockNumber: bigint;
  readonly cost: bigint;
  readonly errored: boolean;
  readonly systemDeployError: string;
}

/** By what something was moved. */
export type TransferKind = "deploy" | "genesis" | "closeBlock" | "slash";

/** A movement between two vaults. @spec 41 §8.3 */
export interface TransferEntry {
  readonly kind: TransferKind;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** Why nothing was moved; `undefined` when it was. */
  readonly failReason: string | undefined;
  /** By a user's deploy or one of genesis. */
  readonly deploy: { readonly deployId: Uint8Array; readonly deployer: Uint8Array } | undefined;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function encodeDeployEntry(entry: DeployEntry): Uint8Array {
  const { deployId, deployer, sigAlgorithm, timestamp, phloPrice, phloLimit, validAfterBlockNumber } = entry;
  const numbers = [timestamp, phloPrice, phloLimit, validAfterBlockNumber, entry.cost].map(String);
  const row = [toHex(deployId), toHex(deployer), sigAlgorithm, ...numbers, entry.errored, entry.systemDeployError];
  return encoder.encode(JSON.stringify(row));
}

export function decodeDeployEntry(bytes: Uint8Array): DeployEntry {
  const [deployId, deployer, sigAlgorithm, timestamp, phloPrice, phloLimit, validAfter, cost, errored, error] =
    JSON.parse(decoder.decode(bytes)) as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      boolean,
      string,
    ];
  return {
    deployId: fromHex(deployId),
    deployer: fromHex(deployer),
    sigAlgorithm,
    timestamp: BigInt(timestamp),
    phloPrice: BigInt(phloPrice),
    phloLimit: BigInt(phloLimit),
    validAfterBlockNumber: BigInt(validAfter),
    cost: BigInt(cost),
    errored,
    systemDeployError: error,
  };
}

export function encodeTransferEntry({ kind, from, to, amount, failReason, deploy }: TransferEntry): Uint8Array {
  const ids = deploy === undefined ? [] : [toHex(deploy.deployId), toHex(deploy.deployer)];
  return encoder.encode(JSON.stringify([kind, from, to, String(amount), failReason ?? null, ...ids]));
}

export function decodeTransferEntry(bytes: Uint8Array): TransferEntry {
  const [kind, from, to, amount, failReason, deployId, deployer] = JSON.parse(decoder.decode(bytes)) as [
    TransferKind,
    string,
    string,
    string,
    string | null,
    string?,
    string?,
  ];
  const isOfDeploy = deployId !== undefined && deployer !== undefined;
  return {
    ...{ kind, from, to },
    amount: BigInt(amount),
    failReason: failReason ?? undefined,
    deploy: isOfDeploy ? { deployId: fromHex(deployId), deployer: fromHex(deployer) } : undefined,
  };
}
