import type { BlockFinality, ChainMoment } from "@vedette/chain";
import { takesEffect } from "@vedette/chain";
import { checkVaultAddress, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { type BlockTransfers, type DeployNote, proofOfStakeAddress, type Registration } from "@vedette/execution";
import type { Block, ProcessedDeploy } from "@vedette/protocol";
import { transferEntries } from "@vedette/queries";
import { publicNamesUsed } from "@vedette/queries/deployEffects";
import type { BalanceFacts, DeployFacts, IndexBlockFacts, RejectionFacts, TransferFacts } from "./IndexBlockFacts.js";

/** The facts about a block beside its content. */
export interface BlockContext {
  readonly fate: BlockFinality;
  readonly rejections: readonly RejectionFacts[];
  readonly transfers: BlockTransfers | undefined;
  readonly balances: readonly BalanceFacts[] | undefined;
  /** Why its deploys failed, in their order. */
  readonly notes: readonly DeployNote[] | undefined;
  /** The entries that its deploys made in the registry, in their order. */
  readonly registrations: readonly (readonly Registration[])[] | undefined;
  readonly faultTolerance: number | undefined;
  readonly finalizedAt?: ChainMoment | undefined;
}

/** Encodes a block as the facts that the index receives. */
export function factsOfBlock(block: Block, surroundings: BlockContext): IndexBlockFacts {
  const { header, body } = block;
  const { transfers, balances, notes, registrations, fate, rejections, faultTolerance, finalizedAt } = surroundings;
  return {
    hash: toHex(block.hash),
    number: block.number,
    parents: block.parents.map(toHex),
    timestamp: header.timestamp,
    sender: toHex(block.sender),
    seqNum: block.sequenceNumber,
    preStateHash: toHex(body.state.preStateHash),
    postStateHash: toHex(body.state.postStateHash),
    sig: toHex(block.signature),
    sigAlgorithm: block.signatureAlgorithm,
    shardId: block.shardId,
    extraBytes: toHex(block.extraBytes),
    version: header.version,
    bonds: body.state.bonds.map(({ validator, stake }) => ({ validator: toHex(validator), stake })),
    justifications: block.justifications.map(({ validator, latestBlockHash }) => ({
      validator: toHex(validator),
      latestBlockHash: toHex(latestBlockHash),
    })),
    rejectedDeploys: body.rejectedDeploys.map(({ signature, duplicate, carrier }) => {
      return { id: toHex(signature), duplicate, carrier: carrier && toHex(carrier) };
    }),
    deploys: body.deploys.map((deploy, index) =>
      deployFacts(deploy, takesEffect(deploy, block.form), notes?.[index], registrations?.[index]),
    ),
    slashings: body.systemDeploys.flatMap(({ systemDeploy, error }, position) =>
      systemDeploy.kind !== "slash"
        ? []
        : [
            {
              position,
              issuer: toHex(systemDeploy.issuerPublicKey),
              invalidBlockHash: toHex(systemDeploy.invalidBlockHash),
              error: error === "" ? undefined : error,
            },
          ],
    ),
    transfers: transfers === undefined ? undefined : transferFacts(block, transfers),
    ...{ balances, fate, rejections, faultTolerance, finalizedAt },
  };
}

function deployFacts(
  processed: ProcessedDeploy,
  hasEffect: boolean,
  note: DeployNote | undefined,
  registered: readonly Registration[] = [],
): DeployFacts {
  const { deploy, cost, failed, systemDeployError, log } = processed;
  return {
    id: toHex(deploy.signature),
    deployer: toHex(deploy.deployer),
    term: deploy.term,
    timestamp: deploy.timestamp,
    algorithm: deploy.algorithm,
    phloPrice: deploy.phloPrice,
    phloLimit: deploy.phloLimit,
    validAfterBlockNumber: deploy.validAfterBlockNumber,
    shardId: deploy.shardId,
    cost,
    errored: failed,
    hasEffect,
    error: systemDeployError === "" ? errorOf(note) : systemDeployError,
    names: publicNamesUsed(deploy.term, log),
    registered,
  };
}

function errorOf(note: DeployNote | undefined): string | undefined {
  if (note === undefined || note.faults.length === 0) return undefined;
  return note.faults.map(({ text }) => text).join("\n");
}

function transferFacts(block: Block, transfers: BlockTransfers): TransferFacts[] {
  return transferEntries(block, transfers).map(({ kind, from, to, amount, failReason, deploy }) => ({
    ...{ kind, from, to, amount, failReason },
    deployId: deploy === undefined ? undefined : toHex(deploy.deployId),
  }));
}

/**
 * Vaults that a block names: those of its deployers, and those that something was moved between; of genesis also those
 * that its programs name and those of its validators.
 */
export function vaultsOf(block: Block, transfers: BlockTransfers | undefined): string[] {
  const moved = transfers === undefined ? [] : transferEntries(block, transfers).flatMap(({ from, to }) => [from, to]);
  const found = new Set([
    ...vaultsOfKeys(block.body.deploys.map(({ deploy }) => deploy.deployer)),
    ...moved.filter(isVault),
    ...(block.parents.length === 0 ? vaultsOfGenesis(block) : []),
  ]);
  // It has what all deploys cost, so that every block would name it.
  found.delete(proofOfStakeAddress);
  return [...found];
}

/** No transfers report the balances of genesis: the addresses are in its programs. */
function vaultsOfGenesis({ body }: Block): string[] {
  const named = body.deploys.flatMap(({ deploy }) => deploy.term.match(addressText) ?? []);
  return [...named.filter(isVault), ...vaultsOfKeys(body.state.bonds.map(({ validator }) => validator))];
}

function vaultsOfKeys(publicKeys: readonly Uint8Array[]): string[] {
  return publicKeys.flatMap((key) => vaultAddressOfPublicKey(key) ?? []);
}

function isVault(address: string): boolean {
  return checkVaultAddress(address) === undefined;
}

const addressText = /\b1111[1-9A-HJ-NP-Za-km-z]{46,56}\b/g;
