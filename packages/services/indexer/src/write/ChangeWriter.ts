import type { ChainMoment } from "@vedette/chain";
import { type IndexDatabase, inTransaction } from "../database/openDatabase.js";
import type { IndexBlockFacts, IndexChange } from "../facts/IndexBlockFacts.js";
import { BlockWriter } from "./BlockWriter.js";
import {
  finalizeBlocks,
  forkAway,
  judgeDeploy,
  noteFinality,
  noteTolerances,
  rejectDeploys,
  restoreDeploys,
} from "./decisions.js";
import { type EpochLengths, writeEpochs, writeNetworkStats } from "./milestones.js";
import { Rows, type StatementTexts } from "./Rows.js";
import type { IndexPosition } from "./state.js";
import { readKnownSince, writeState } from "./state.js";
import { updateValidators } from "./validators.js";

/** Writes changes of the chain into the tables. */
export class ChangeWriter {
  readonly #database: IndexDatabase;
  readonly #blocks = new BlockWriter();
  readonly #texts: StatementTexts = new Map();
  #epoch: EpochLengths | undefined;

  constructor(database: IndexDatabase) {
    this.#database = database;
  }

  /** Lengths that epochs are counted by; without them epochs are not written. */
  setEpoch(epoch: EpochLengths | undefined): void {
    this.#epoch = epoch;
  }

  /** Writes changes, in their order, and the place after them: all or nothing. @throws the database's error */
  async write(changes: readonly IndexChange[], position: IndexPosition): Promise<void> {
    const { kind, lease } = this.#database;
    try {
      await inTransaction(this.#database, async (transaction) => {
        const rows = new Rows(kind, transaction, this.#texts);
        let lacking: bigint | undefined;
        for (const group of groupsOf(changes)) lacking = (await this.#writeGroup(rows, group)) ?? lacking;
        await updateValidators(rows, changes);
        const knownSince = await laterOf(rows, position.knownSince, lacking);
        await writeState(rows, changes, { ...position, writer: lease?.name, knownSince });
      });
    } catch (error) {
      // The numbers that the failed transaction assigned are void.
      this.forget();
      throw error;
    }
  }

  /** Writes the final outcome of deploys, by their ids. @throws the database's error */
  async judge(verdicts: ReadonlyMap<string, "failed" | "expired">): Promise<void> {
    if (verdicts.size === 0) return;
    await inTransaction(this.#database, async (transaction) => {
      const rows = new Rows(this.#database.kind, transaction, this.#texts);
      for (const [deployId, verdict] of verdicts) await judgeDeploy(rows, deployId, verdict);
    });
  }

  /** Drops what was known of the tables, as another process may have written them. */
  forget(): void {
    this.#blocks.forget();
  }

  /** @returns the height above the highest of new blocks of which it is not known what they did */
  async #writeGroup(rows: Rows, group: ChangeGroup): Promise<bigint | undefined> {
    if (group.kind === "added") {
      const { added, decided } = await this.#blocks.add(rows, group.blocks);
      await decideLate(rows, decided);
      const finalized = group.blocks.filter(({ fate }) => fate === "finalized").map(({ hash }) => hash);
      await this.#milestones(rows, finalized);
      return sinceLacking(added);
    }
    if (group.kind === "finalized") {
      await finalizeBlocks(rows, group.hashes, group.rejections);
      await noteTolerances(rows, group.tolerances);
      await noteFinality(rows, group.moments);
      await this.#milestones(rows, group.hashes);
    } else if (group.change.kind === "blockOrphaned") await forkAway(rows, group.change.hash);
    else if (group.change.kind === "deploysRejected") await rejectDeploys(rows, group.change);
    else if (group.change.kind === "deploysRestored") await restoreDeploys(rows, group.change);
    return undefined;
  }

  async #milestones(rows: Rows, finalized: readonly string[]): Promise<void> {
    if (finalized.length === 0) return;
    if (this.#epoch !== undefined) await writeEpochs(rows, finalized, this.#epoch);
    await writeNetworkStats(rows, finalized);
  }
}

function sinceLacking(added: readonly IndexBlockFacts[]): bigint | undefined {
  let since: bigint | undefined;
  for (const { lacksEffects, number } of added)
    if (lacksEffects === true && number >= (since ?? 0n)) since = number + 1n;
  return since;
}

/** From where on the tables are whole after a change; `undefined` where that stays. */
async function laterOf(
  rows: Rows,
  begun: bigint | undefined,
  lacking: bigint | undefined,
): Promise<bigint | undefined> {
  if (lacking === undefined) return begun;
  const known = begun ?? (await readKnownSince(rows.db)) ?? 0n;
  return known < lacking ? lacking : known;
}

/**
 * Applies what was decided of blocks that are in the tables: perhaps while no event reported it, where the log of
 * events does not reach back and all blocks are gone through again.
 */
async function decideLate(rows: Rows, blocks: readonly IndexBlockFacts[]): Promise<void> {
  for (const { hash, fate } of blocks) if (fate === "forkedAway") await forkAway(rows, hash);
  const finalized = blocks.filter(({ fate }) => fate === "finalized");
  if (finalized.length === 0) return;
  const rejected = finalized.filter(({ rejections }) => rejections.length > 0);
  await finalizeBlocks(
    rows,
    finalized.map(({ hash }) => hash),
    rejected,
  );
  await noteTolerances(
    rows,
    finalized.flatMap(({ hash, faultTolerance }) =>
      faultTolerance === undefined ? [] : [[hash, faultTolerance] as const],
    ),
  );
  await noteFinality(rows, new Map(finalized.flatMap(momentOf)));
}

function momentOf({ hash, finalizedAt }: Pick<Finalized, "hash" | "finalizedAt">): [string, ChainMoment][] {
  return finalizedAt === undefined ? [] : [[hash, finalizedAt]];
}

type Finalized = Extract<IndexChange, { readonly kind: "blockFinalized" }>;
type ChangeGroup =
  | { readonly kind: "added"; readonly blocks: IndexBlockFacts[] }
  | {
      readonly kind: "finalized";
      readonly hashes: string[];
      readonly rejections: { readonly hash: string; readonly rejections: Finalized["rejections"] }[];
      /** By the block's hash. */
      readonly tolerances: [string, number][];
      readonly moments: Map<string, ChainMoment>;
    }
  | { readonly kind: "other"; readonly change: IndexChange };

/**
 * Groups the changes that are written together: first all new blocks, with their fates after all of these changes, then
 * the outcomes of others, as far as they follow each other. A node that is far behind reports each block as added and
 * then as final: together they are a few large statements, instead of many for each block.
 */
function groupsOf(changes: readonly IndexChange[]): ChangeGroup[] {
  const blocks = changes.flatMap((change) => (change.kind === "blockAdded" ? [change.block] : []));
  const isFinal = new Set(blocks.flatMap(({ hash, fate }) => (fate === "finalized" ? [hash] : [])));
  const groups: ChangeGroup[] = blocks.length === 0 ? [] : [{ kind: "added", blocks }];
  for (const change of changes) {
    if (change.kind === "blockAdded" || (change.kind === "blockFinalized" && isFinal.has(change.hash))) continue;
    const group: ChangeGroup = change.kind === "blockFinalized" ? finalizedGroup(change) : { kind: "other", change };
    const last = groups.at(-1);
    if (last?.kind !== "finalized" || group.kind !== "finalized") {
      groups.push(group);
      continue;
    }
    last.hashes.push(...group.hashes);
    last.rejections.push(...group.rejections);
    last.tolerances.push(...group.tolerances);
    for (const [hash, moment] of group.moments) last.moments.set(hash, moment);
  }
  return groups;
}

function finalizedGroup(change: Finalized): ChangeGroup & { readonly kind: "finalized" } {
  const { hash, rejections, faultTolerance } = change;
  return {
    kind: "finalized",
    hashes: [hash],
    rejections: rejections.length === 0 ? [] : [{ hash, rejections }],
    tolerances: faultTolerance === undefined ? [] : [[hash, faultTolerance]],
    moments: new Map(momentOf(change)),
  };
}
