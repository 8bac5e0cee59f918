import { addressOfAccount } from "../../data/addressOfAccount.js";
import { queryIndex } from "../../data/queryIndex.js";
import { type Epoch, readEpochs } from "../epochs/readEpochs.js";
import { heightsWithoutBlock } from "../validators/readValidators.js";

/** The work of a validator in an epoch. */
export interface EpochOfValidator extends Epoch {
  /** At the first height; 0 where it had none. */
  readonly stake: bigint;
  readonly proposed: number;
  readonly withoutBlock: number;
  readonly orphaned: number;
  /** The protocol's payment to its vault. */
  readonly paid: bigint;
}

/** A validator as the index has it. */
export interface ValidatorSummary {
  readonly stake: bigint;
  readonly first: number;
  readonly last: number;
}

interface ValidatorRow {
  readonly total_stake: string;
  readonly first_seen_block: string;
  readonly last_seen_block: string;
}

interface Count {
  readonly aggregate: { readonly count: number };
}

const summaryQuery = `query ($key: String!) { validators(where: {public_key: {_eq: $key}}) {
  total_stake first_seen_block last_seen_block } }`;

/** @returns `null` for a key that never had a stake @throws {IndexQueryError} */
export async function readValidator(key: string, signal: AbortSignal): Promise<ValidatorSummary | null> {
  const [row] = (await queryIndex<{ validators: readonly ValidatorRow[] }>(summaryQuery, { key }, signal)).validators;
  if (row === undefined) return null;
  return {
    stake: BigInt(row.total_stake),
    first: Number(row.first_seen_block),
    last: Number(row.last_seen_block),
  };
}

/** Epochs of one page; a query may name a hundred fields at most. */
export const epochsAtOnce = 25;

/**
 * Returns the work of a validator, epoch by epoch, the newest first. @param height the last finalized one @throws
 * {IndexQueryError}
 */
export async function readHistory(
  { key, from, height }: { readonly key: string; readonly from: number | undefined; readonly height: number },
  signal: AbortSignal,
): Promise<EpochOfValidator[]> {
  const epochs = await readEpochs(from, epochsAtOnce, signal);
  if (epochs.length === 0) return [];
  const variables = {
    key,
    address: addressOfAccount(key),
    low: String(epochs.at(-1)!.start),
    high: String(epochs[0]!.end),
  };
  const answer = await queryIndex<HistoryAnswer>(historyQuery(epochs), variables, signal);
  const [row] = answer.validators;
  return epochs.map((epoch, index) => {
    const heights = { low: Math.max(1, epoch.start), high: Math.min(height, epoch.end) };
    const own = (row?.[`h${index}`] as Count | undefined)?.aggregate.count ?? 0;
    return {
      ...epoch,
      stake: BigInt((row?.[`b${index}`] as readonly { readonly stake: string }[] | undefined)?.[0]?.stake ?? 0),
      proposed: own,
      withoutBlock: row === undefined ? 0 : heightsWithoutBlock(row, heights, own),
      orphaned: (row?.[`o${index}`] as Count | undefined)?.aggregate.count ?? 0,
      paid: paidWithin(answer.system_transfers, epoch),
    };
  });
}

interface Payment {
  readonly block_number: string;
  readonly amount_dust: string;
}

interface HistoryAnswer {
  readonly validators: readonly (ValidatorRow & Readonly<Record<string, unknown>>)[];
  readonly system_transfers: readonly Payment[];
}

function paidWithin(payments: readonly Payment[], { start, end }: Epoch): bigint {
  return payments
    .filter(({ block_number: at }) => Number(at) >= start && Number(at) <= end)
    .reduce((sum, { amount_dust: amount }) => sum + BigInt(amount), 0n);
}

/** Heights are numbers of ours, keys and addresses are variables. */
function historyQuery(epochs: readonly Epoch[]): string {
  const parts = epochs.map(({ start, end }, index) => {
    const within = `block_number: {_gte: "${Math.max(1, start)}", _lte: "${end}"}`;
    return `h${index}: blocks_aggregate(where: {${within}, fate: {_neq: "forkedAway"}}) {
        aggregate { count(columns: [block_number], distinct: true) } }
      o${index}: blocks_aggregate(where: {${within}, fate: {_eq: "forkedAway"}}) { aggregate { count } }
      b${index}: validator_bonds(where: {block_number: {_eq: "${start}"}, block: {fate: {_neq: "forkedAway"}}}, limit: 1) { stake }`;
  });
  return `query History($key: String!, $address: String!, $low: bigint!, $high: bigint!) {
    validators(where: {public_key: {_eq: $key}}) {
      total_stake first_seen_block last_seen_block ${parts.join(" ")} }
    system_transfers(where: {to_address: {_eq: $address}, kind: {_eq: "closeBlock"}, status: {_eq: "success"},
      block_number: {_gte: $low, _lte: $high}, block: {fate: {_neq: "forkedAway"}}}, limit: 5000) {
      block_number amount_dust } }`;
}

/** A block that took a validator's stake. */
export interface Slash {
  readonly blockHash: string;
  readonly blockNumber: number;
  readonly issuer: string;
  /** The block that proves the offense. */
  readonly invalidHash: string;
  readonly error: string | null;
}

interface SlashingRow {
  readonly block_hash: string;
  readonly block_number: string;
  readonly issuer_public_key: string;
  readonly invalid_block_hash: string;
  readonly error_message: string | null;
}

const slashingsQuery = `query { slashings(where: {block: {fate: {_neq: "forkedAway"}}},
  order_by: {block_number: desc}, limit: 200) {
  block_hash block_number issuer_public_key invalid_block_hash error_message } }`;
const offendersQuery = `query ($hashes: [String!]!, $key: String!) {
  blocks(where: {block_hash: {_in: $hashes}, proposer: {_eq: $key}}) { block_hash } }`;

/** The newest slashes for blocks of a validator. @throws {IndexQueryError} */
export async function readSlashes(key: string, signal: AbortSignal): Promise<Slash[]> {
  const { slashings } = await queryIndex<{ slashings: readonly SlashingRow[] }>(slashingsQuery, {}, signal);
  if (slashings.length === 0) return [];
  const hashes = [...new Set(slashings.map(({ invalid_block_hash: hash }) => hash))];
  const { blocks } = await queryIndex<{ blocks: readonly { readonly block_hash: string }[] }>(
    offendersQuery,
    { hashes, key },
    signal,
  );
  const own = new Set(blocks.map(({ block_hash: hash }) => hash));
  return slashings
    .filter(({ invalid_block_hash: hash }) => own.has(hash))
    .map((row) => ({
      blockHash: row.block_hash,
      blockNumber: Number(row.block_number),
      issuer: row.issuer_public_key,
      invalidHash: row.invalid_block_hash,
      error: row.error_message,
    }));
}
