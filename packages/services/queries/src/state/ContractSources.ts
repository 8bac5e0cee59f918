import { setTimeout as sleep } from "node:timers/promises";
import { InterpreterError, type ProgramForms } from "@vedette/rholang";
import { FairQueue } from "../explore/FairQueue.js";
import { mapToApiError } from "../mapToApiError.js";
import { ComparisonBudget, compareContract, type SourceVerdict, type StoredContract } from "./compareContract.js";
import type { StateQueries, StateQuestion } from "./StateQueries.js";
import type { NamedState } from "./StateRoots.js";
import { sourceContracts } from "./sourceContracts.js";

/** Whether what is registered under a URI is of a program. */
export interface VerifiedSource {
  readonly state: NamedState;
  readonly verdict: "verified" | "different" | "undecided" | "unreadable" | "nothing";
  /** Receives that wait at the registered name, and those of them that the program has. */
  readonly waiting: number;
  readonly equal: number;
}

/** A question whether a program is the source of a contract. */
export interface SourceQuestion {
  readonly uri: string;
  readonly source: string;
  readonly block: string;
}

/** Programs are compared on the main thread, one at a time. */
const queue = { running: 1, ofOneClient: 2, waiting: 16, longestWaitMs: 5_000 } as const;
/** After each receive the thread rests this many times as long as that took. */
const restTimes = 3;
/** A program with more tokens is not compared. */
const maxTokens = 4_000;
/** Receives of a name that are compared. */
const maxWaiting = 32;

/** Compares programs with the contracts that the registry names. @spec 50 §1.13 */
export class ContractSources {
  readonly #states: Pick<StateQueries, "entries">;
  readonly #forms: ProgramForms;
  readonly #turns = new FairQueue(queue);

  constructor(states: Pick<StateQueries, "entries">, forms: ProgramForms) {
    this.#states = states;
    this.#forms = forms;
  }

  /** @throws {StateQueryError}, {Overload} */
  async verify({ uri, source, block }: SourceQuestion, client: string, signal: AbortSignal): Promise<VerifiedSource> {
    const names = [{ form: "uri", text: uri }] as const;
    const question: StateQuestion = {
      ...{ root: block, kind: "continuations", names, which: "post" },
      ...{ withBytes: true, anchor: undefined, most: maxWaiting },
    };
    const { state, found } = await this.#states.entries(question, client, signal);
    const stored = found.entries.map((entry) => storedOf(JSON.parse(entry) as ReportedReceive));
    const waiting = found.count;
    const verdictOf = async () => this.#compare(source, stored);
    if (waiting === 0) return { state, verdict: "nothing", waiting, equal: 0 };
    const result = await mapToApiError(this.#turns.run({ client }, verdictOf));
    const isWhole = stored.length === waiting;
    return { state, waiting, ...result, ...(result.verdict === "verified" && !isWhole && { verdict: "undecided" }) };
  }

  /** Others have their turn after each receive. */
  async #compare(
    source: string,
    stored: readonly (StoredContract | undefined)[],
  ): Promise<Pick<VerifiedSource, "verdict" | "equal">> {
    const contracts = this.#contractsOf(source);
    if (contracts === "unreadable" || contracts === undefined) return { verdict: contracts ?? "undecided", equal: 0 };
    const given = { forms: this.#forms, budget: new ComparisonBudget() };
    const verdicts: SourceVerdict[] = [];
    for (const one of stored) {
      const beganMs = performance.now();
      verdicts.push(
        one === undefined ? "different" : bestOf(contracts, (contract) => compareContract(contract, one, given)),
      );
      await sleep(restTimes * (performance.now() - beganMs));
    }
    const equal = verdicts.filter((verdict) => verdict === "equal").length;
    if (equal === stored.length) return { verdict: "verified", equal };
    return { verdict: verdicts.includes("different") ? "different" : "undecided", equal };
  }

  #contractsOf(source: string): ReturnType<typeof sourceContracts> | "unreadable" {
    try {
      return sourceContracts(this.#forms.compile(source, undefined, maxTokens), this.#forms.urns);
    } catch (error) {
      if (error instanceof InterpreterError) return "unreadable";
      throw error;
    }
  }
}

function bestOf<T>(all: readonly T[], verdictOf: (one: T) => SourceVerdict): SourceVerdict {
  let best: SourceVerdict = "different";
  for (const one of all) {
    const verdict = verdictOf(one);
    if (verdict === "equal") return verdict;
    if (verdict === "undecided") best = verdict;
  }
  return best;
}

/** A receive as the state's readers print it. */
interface ReportedReceive {
  readonly binds: readonly {
    readonly patterns: readonly { readonly bytes: string }[];
    readonly hasRemainder: boolean;
  }[];
  readonly body: { readonly bytes: string } | null;
  readonly isPersistent: boolean;
  readonly peeks: readonly number[];
  readonly hasGuard?: boolean;
}

/** @returns `undefined` for what no program can have written: the system's own processes */
function storedOf({ binds, body, isPersistent, peeks, hasGuard = false }: ReportedReceive): StoredContract | undefined {
  const [bind] = binds;
  if (bind === undefined || body === null) return undefined;
  const { patterns, hasRemainder } = bind;
  const terms = { patterns: patterns.map(({ bytes }) => bytes), hasRemainder, body: body.bytes };
  return { ...terms, isPersistent, isPeek: peeks.length > 0, hasGuard };
}
