import { blake2b256, toHex } from "@vedette/crypto";
import { sql } from "kysely";
import type { IndexBlockFacts } from "../facts/IndexBlockFacts.js";
import {
  balanceStateRows,
  blockDeployRows,
  blockRow,
  bondsText,
  contractRows,
  deployRow,
  movementRows,
  nameRows,
  parentRows,
  rejectionRows,
  slashingRows,
} from "./blockRows.js";
import { chooseBlocks } from "./decisions.js";
import type { Row, Rows } from "./Rows.js";
import { storedInteger, storedText } from "./Rows.js";
import { trafficChange } from "./traffic.js";

const encoder = new TextEncoder();
/** Distributions of stakes with cached numbers. */
const maxKnown = 1_000;

interface PlacedDeploy {
  readonly block: IndexBlockFacts | undefined;
  readonly isAgain: boolean;
}

/** The result of adding blocks. */
export interface AddedBlocks {
  readonly added: readonly IndexBlockFacts[];
  readonly decided: readonly IndexBlockFacts[];
}

/** Writes blocks that are new. */
export class BlockWriter {
  readonly #bondSets = new Map<string, unknown>();

  /** After a transaction that was undone. */
  forget(): void {
    this.#bondSets.clear();
  }

  /**
   * Blocks that are there already are left as they are.
   *
   * @returns those that are new, and those that are there already and of which something is decided
   */
  async add(rows: Rows, given: readonly IndexBlockFacts[]): Promise<AddedBlocks> {
    const there = await this.#there(rows, given);
    const seen = new Set<string>();
    const blocks = given.filter(({ hash }) => !there.has(hash) && !seen.has(hash) && seen.add(hash));
    await this.#add(rows, blocks);
    return { added: blocks, decided: given.filter(({ hash, fate }) => fate !== "pending" && there.has(hash)) };
  }

  async #add(rows: Rows, blocks: readonly IndexBlockFacts[]): Promise<void> {
    if (blocks.length === 0) return;
    const bondSets = await this.#bondSetIds(rows, blocks);
    await rows.add(
      "chain_blocks",
      blocks.map((block, index) => blockRow(block, bondSets[index])),
    );
    await rows.add("block_parents", blocks.flatMap(parentRows));
    await rows.add("block_deploys", blocks.flatMap(blockDeployRows));
    const placed = await this.#addDeploys(rows, blocks);
    await rows.add(
      "movements",
      blocks.flatMap((block) => movementRows(block, (id) => placed.get(id)?.block === block)),
    );
    await chooseBlocks(
      rows,
      [...placed].flatMap(([id, { isAgain }]) => (isAgain ? [id] : [])),
    );
    await rows.add("block_rejections", blocks.flatMap(rejectionRows));
    await rows.add("slashings", blocks.flatMap(slashingRows));
    const names = blocks.map(nameRows);
    await rows.add(
      "name_writes",
      names.flatMap(({ writes }) => writes),
    );
    await rows.add(
      "name_reads",
      names.flatMap(({ reads }) => reads),
    );
    await rows.add("registered_contracts", blocks.flatMap(contractRows));
    await addBalances(rows, blocks);
    await trafficChange(rows, blocks);
  }

  async #there(rows: Rows, given: readonly IndexBlockFacts[]): Promise<ReadonlySet<string>> {
    const hashes = [...new Set(given.map(({ hash }) => hash))];
    return new Set((await rows.among("chain_blocks", ["block_hash"], "block_hash", hashes)).map(hashOf));
  }

  async #bondSetIds(rows: Rows, blocks: readonly IndexBlockFacts[]): Promise<unknown[]> {
    const digests = blocks
      .map((block) => ({ block, text: bondsText(block) }))
      .map(({ block, text }) => {
        return { block, text, digest: toHex(blake2b256(encoder.encode(text))) };
      });
    const unknown = new Map(
      digests.filter(({ digest }) => !this.#bondSets.has(digest)).map((one) => [one.digest, one]),
    );
    if (unknown.size > 0) {
      if (this.#bondSets.size > maxKnown) this.#bondSets.clear();
      await this.#addBondSets(rows, digests);
    }
    return digests.map(({ digest }) => this.#bondSets.get(digest));
  }

  async #addBondSets(
    rows: Rows,
    sets: readonly { readonly block: IndexBlockFacts; readonly text: string; readonly digest: string }[],
  ): Promise<void> {
    const distinct = [...new Map(sets.map((one) => [one.digest, one])).values()];
    const bondRow = ({ block: { bonds }, text, digest }: (typeof distinct)[number]): Row => {
      const total = storedInteger(bonds.reduce((sum, { stake }) => sum + stake, 0n));
      return { digest, validators: bonds.length, total_stake: total, bonds: text };
    };
    await rows.add("bond_sets", distinct.map(bondRow));
    const digests = distinct.map(({ digest }) => digest);
    for (const { id, digest } of await rows.among("bond_sets", ["id", "digest"], "digest", digests))
      this.#bondSets.set(digest as string, id);
    const members = distinct.flatMap(({ block, digest }) =>
      block.bonds.map(({ validator, stake }, position): Row => {
        const place = { bond_set_id: this.#bondSets.get(digest), position };
        return { ...place, validator_public_key: validator, stake: storedInteger(stake) };
      }),
    );
    await rows.add("bond_set_members", members);
  }

  /** @returns by the deploy: the block that its row has, and whether another block has it, too */
  async #addDeploys(rows: Rows, blocks: readonly IndexBlockFacts[]): Promise<Map<string, PlacedDeploy>> {
    const placed = blocks.flatMap((block) => block.deploys.map((deploy) => ({ block, deploy })));
    const places = new Map<string, PlacedDeploy>();
    if (placed.length === 0) return places;
    const sources = await addSources(rows, blocks);
    const ids = [...new Set(placed.map(({ deploy: { id } }) => id))];
    const there = new Set(
      (await rows.among("deploys", ["deploy_id"], "deploy_id", ids)).map((row) => row["deploy_id"]),
    );
    const added: Row[] = [];
    for (const { block, deploy } of placed) {
      const known = places.get(deploy.id);
      if (known !== undefined) places.set(deploy.id, { ...known, isAgain: true });
      else if (there.has(deploy.id)) places.set(deploy.id, { block: undefined, isAgain: true });
      else {
        places.set(deploy.id, { block, isAgain: false });
        added.push(deployRow(block, deploy, sources.get(storedText(deploy.term))!));
      }
    }
    await rows.add("deploys", added);
    return places;
  }
}

const hashOf = (row: Row) => row["block_hash"] as string;

/** Programs, by their text. */
async function addSources(
  rows: Rows,
  blocks: readonly IndexBlockFacts[],
): Promise<Map<string, { readonly id: unknown; readonly length: number }>> {
  const texts = new Set(blocks.flatMap(({ deploys }) => deploys.map(({ term }) => storedText(term))));
  const sources = [...texts].map((source) => {
    const bytes = encoder.encode(source);
    return { source_hash: toHex(blake2b256(bytes)), source_length: bytes.length, source };
  });
  await rows.add("deploy_sources", sources);
  const hashes = sources.map(({ source_hash }) => source_hash);
  const known = await rows.among("deploy_sources", ["id", "source_hash"], "source_hash", hashes);
  const ids = new Map(known.map((row) => [row["source_hash"], row["id"]]));
  return new Map(
    sources.map(({ source, source_hash: hash, source_length: length }) => [source, { id: ids.get(hash), length }]),
  );
}

/** By height, then by hash: the same in whatever order blocks come. */
function isBefore(left: Row, right: Row): boolean {
  const [one, other] = [left["block_number"] as bigint, right["block_number"] as bigint];
  return one === other ? (left["block_hash"] as string) <= (right["block_hash"] as string) : one < other;
}

async function addBalances(rows: Rows, blocks: readonly IndexBlockFacts[]): Promise<void> {
  const states = blocks.flatMap(balanceStateRows);
  await rows.add("balance_states", states);
  const forkedAway = new Set(blocks.filter(({ fate }) => fate === "forkedAway").map(({ hash }) => hash));
  const newest = new Map<unknown, Row>();
  for (const state of states) {
    if (forkedAway.has(state["block_hash"] as string)) continue;
    const { address } = state as { address: unknown };
    const known = newest.get(address);
    if (known === undefined || isBefore(known, state)) newest.set(address, state);
  }
  const now = [...newest.values()].map((state) => ({
    address: state["address"],
    balance_dust: state["unbonded_balance_dust"],
    block_hash: state["block_hash"],
    block_number: state["block_number"],
    updated_at: state["updated_at"],
  }));
  const isNewer = sql<boolean>`(excluded.block_number > balances.block_number or
    (excluded.block_number = balances.block_number and excluded.block_hash >= balances.block_hash))`;
  const newestValue = (column: string) =>
    sql`case when ${isNewer} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`balances.${column}`)} end`;
  const changed = ["balance_dust", "block_hash", "updated_at", "block_number"];
  await rows.merge(
    "balances",
    now,
    ["address"],
    Object.fromEntries(changed.map((column) => [column, newestValue(column)])),
  );
}
