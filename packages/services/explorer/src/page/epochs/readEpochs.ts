import { queryIndex } from "../../data/queryIndex.js";

/** An epoch of the finalized chain. */
export interface Epoch {
  readonly number: number;
  /** First height. */
  readonly start: number;
  /** Last height; ahead of the chain's while the epoch goes on. */
  readonly end: number;
  readonly activeValidators: number;
  readonly quarantineLength: number;
  /** When its first block was made, in UTC without a zone. */
  readonly began: string;
}

interface EpochRow {
  readonly epoch_number: string;
  readonly start_block: string;
  readonly end_block: string;
  readonly active_validators: number;
  readonly quarantine_length: number;
  readonly timestamp: string;
}

const document = `query Epochs($from: bigint!, $limit: Int!) {
  epoch_transitions(where: {epoch_number: {_lte: $from}}, order_by: {epoch_number: desc}, limit: $limit) {
    epoch_number start_block end_block active_validators quarantine_length timestamp } }`;
/** Beyond every epoch. */
const top = "9223372036854775807";

/** Epochs from one downward. @param from left out: the newest @throws {IndexQueryError} */
export async function readEpochs(from: number | undefined, limit: number, signal: AbortSignal): Promise<Epoch[]> {
  const variables = { from: from === undefined ? top : String(from), limit };
  const found = await queryIndex<{ epoch_transitions: readonly EpochRow[] }>(document, variables, signal);
  return found.epoch_transitions.map((row) => ({
    number: Number(row.epoch_number),
    start: Number(row.start_block),
    end: Number(row.end_block),
    activeValidators: row.active_validators,
    quarantineLength: row.quarantine_length,
    began: `${row.timestamp}Z`,
  }));
}
