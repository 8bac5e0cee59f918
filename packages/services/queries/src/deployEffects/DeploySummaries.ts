import { setTimeout as sleep } from "node:timers/promises";
import type { DeployFact } from "@vedette/api";
import { toHex } from "@vedette/crypto";
import { dropOldest } from "@vedette/errors";
import type { DeployNote } from "@vedette/execution";
import type { BlockCodec } from "@vedette/protocol";
import { type AccountQueries, type DeployHistory, type Inclusion, isOfDeploy } from "../accounts/AccountQueries.js";
import type { TransferEntry } from "../accounts/accountEntries.js";
import type { BlockQueries } from "../block/BlockQueries.js";
import { FairQueue } from "../explore/FairQueue.js";
import { Overload } from "../explore/Overload.js";
import { mapToApiError } from "../mapToApiError.js";
import type { TransferQueries } from "../report/TransferQueries.js";
import { namesOfDeploy, type PublicNameUse } from "./namesOfDeploy.js";
import type { ProgramFact } from "./ProgramFact.js";
import { type ProgramReader, programReaderOf } from "./programRules.js";
import { maxProgramLength } from "./readProgram.js";
import { type MovedAmount, type SummedUpDeploy, summarizeDeploy } from "./summarizeDeploy.js";

/** The sources of summaries. */
export interface SummarySources {
  readonly transfers: Pick<TransferQueries, "entriesOfBlock">;
  readonly blocks: Pick<BlockQueries, "read">;
  readonly accounts: Pick<AccountQueries, "ownTransfers">;
  /** The encoding of the chain's blocks; default: rnode's. */
  readonly form?: BlockCodec | undefined;
}

/** The effects of a deploy. */
export interface DeployEffects {
  readonly summary: readonly DeployFact[];
  /** `undefined` where it is unknown what it moved. */
  readonly transfers: readonly MovedAmount[] | undefined;
  /** Public names that it wrote and read; `undefined` where no block has it. */
  readonly names: readonly PublicNameUse[] | undefined;
}

/** A block that was not executed here is executed for it. */
const queue = { running: 1, ofOneClient: 4, waiting: 32, longestWaitMs: 5_000 } as const;
/** Programs are read on the main thread, one at a time; then it rests this many times as long as that took. */
const restTimes = 3;
const readingQueue = { running: 1, ofOneClient: 8, waiting: 64, longestWaitMs: 5_000 } as const;
/** Programs with cached effects. */
const maxKept = 512;
/** Programs of a list that are read for one question, in UTF-16 units; those at hand cost nothing. */
const maxReadAtOnce = 65_536;

/** Summarizes the effects of deploys. @spec 50 §1.13 */
export class DeploySummaries {
  readonly #sources: SummarySources;
  readonly #gate = new FairQueue(queue);
  readonly #reading = new FairQueue(readingQueue);
  readonly #read: ProgramReader;
  readonly #kept = new Map<string, readonly ProgramFact[]>();

  constructor(sources: SummarySources) {
    this.#sources = sources;
    this.#read = programReaderOf(sources.form);
  }

  /**
   * Returns the effects of a deploy in the block that counts.
   *
   * @param note why it failed there, as far as that is known
   * @param client the address that it is counted for
   * @throws {Overload} when too many programs wait to be read
   */
  async find(history: DeployHistory, note: DeployNote | undefined, client?: string): Promise<DeployEffects> {
    const [first] = history.inclusions;
    const { signature, term } = history.deploy;
    const transfers = first === undefined ? undefined : await this.#moved(first, signature, client);
    const run = runOf(history, note);
    const facts = await this.#programFacts(signature, term, client);
    const summary = summarizeDeploy(
      { term, run, transfers: transfers === undefined ? { kind: "unknown" } : { kind: "known", transfers } },
      () => facts,
    );
    return {
      summary,
      transfers,
      names: first && namesOfDeploy(this.#sources.blocks.read(first.block).block, signature),
    };
  }

  /**
   * Returns the effects of deploys from stored facts: of the contracts' transfers only those recorded at the vault of
   * the deploy's own key, and no reasons of failures.
   *
   * @param histories `undefined`: not known
   * @returns `undefined` for a deploy that is not known, or when more programs must be read than one request may; the
   * next request goes on from there
   * @cost bounded: {@link maxReadAtOnce}
   */
  async findBrief(
    histories: readonly (DeployHistory | undefined)[],
    client?: string,
  ): Promise<(readonly DeployFact[] | undefined)[]> {
    let left = maxReadAtOnce;
    const found: (readonly DeployFact[] | undefined)[] = [];
    for (const history of histories) {
      const term = history?.deploy.term ?? "";
      const isKept = history !== undefined && this.#kept.has(toHex(history.deploy.signature));
      if (!isKept && term.length <= maxProgramLength) left -= term.length;
      const isReported = history !== undefined && (isKept || left >= 0);
      found.push(isReported ? await this.#brief(history, client) : undefined);
    }
    return found;
  }

  async #brief(history: DeployHistory, client: string | undefined): Promise<readonly DeployFact[] | undefined> {
    const [first] = history.inclusions;
    const { deploy } = history;
    const own = first && this.#sources.accounts.ownTransfers(first.block, deploy);
    const transfers = own?.transfers.map((entry) => movedBy(first!, entry));
    try {
      const facts = await this.#programFacts(deploy.signature, deploy.term, client);
      return summarizeDeploy(
        {
          ...{ term: deploy.term, run: runOf(history, undefined) },
          transfers:
            own === undefined ? { kind: "unknown" } : { kind: "ofVault", vault: own.vault, transfers: transfers! },
        },
        () => facts,
      );
    } catch (error) {
      if (error instanceof Overload) return undefined;
      throw error;
    }
  }

  async #moved(inclusion: Inclusion, signature: Uint8Array, client: string | undefined) {
    const { transfers, blocks } = this.#sources;
    const find = () => transfers.entriesOfBlock(inclusion.block, () => blocks.read(inclusion.block).block);
    try {
      const entries = await mapToApiError(this.#gate.run({ client }, find));
      return entries?.filter(isOfDeploy(signature)).map((entry) => movedBy(inclusion, entry));
    } catch (error) {
      // That is no reason to keep back what is known of the deploy.
      if (error instanceof Overload) return undefined;
      throw error;
    }
  }

  /** A program never changes. @throws {Overload} */
  #programFacts(signature: Uint8Array, term: string, client: string | undefined): Promise<readonly ProgramFact[]> {
    const key = toHex(signature);
    const known = this.#kept.get(key);
    if (known !== undefined) return Promise.resolve(this.#keep(key, known));
    return new Promise((resolve, reject) => {
      const read = async () => {
        const beganMs = performance.now();
        resolve(this.#keep(key, this.#kept.get(key) ?? this.#read(term)));
        await sleep(restTimes * (performance.now() - beganMs));
      };
      mapToApiError(this.#reading.run({ client }, read)).catch(reject);
    });
  }

  #keep(key: string, facts: readonly ProgramFact[]): readonly ProgramFact[] {
    this.#kept.delete(key);
    this.#kept.set(key, facts);
    dropOldest(this.#kept, maxKept);
    return facts;
  }
}

/** An amount that a merge gave up was not moved. */
function movedBy({ rejectedBy, finality }: Inclusion, { from, to, amount, failReason }: TransferEntry): MovedAmount {
  const lost = rejectedBy !== undefined ? "A merge gave the deploy up." : forkedText[finality];
  return { from, to, amount, failReason: failReason ?? lost };
}

const forkedText: { readonly [finality in Inclusion["finality"]]?: string } = {
  forkedAway: "The block will never be final.",
};

function runOf({ status, reason, inclusions }: DeployHistory, note: DeployNote | undefined): SummedUpDeploy["run"] {
  const [first] = inclusions;
  if (status === "refused") return { failed: { reason, line: undefined } };
  if (first === undefined) return status === "expired" ? "lost" : "notRun";
  const { errored, systemDeployError } = first.outcome;
  if (systemDeployError !== "") return { failed: { reason: systemDeployError, line: undefined } };
  const fault = note?.faults[0];
  if (errored) return { failed: { reason: fault?.text, line: fault?.line } };
  if (first.rejectedBy === undefined && first.finality !== "forkedAway") return "ran";
  return status === "pending" ? "notRun" : "lost";
}
