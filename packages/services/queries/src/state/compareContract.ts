import { fromHex, toHex } from "@vedette/crypto";
import type { ProgramForms } from "@vedette/rholang";
import { GPrivate, Par } from "@vedette/terms";
import type { SourceContract } from "./sourceContracts.js";

/** A receive that waits in a state: terms as canonical bytes, in hex. */
export interface StoredContract {
  readonly patterns: readonly string[];
  readonly hasRemainder: boolean;
  readonly body: string;
  readonly isPersistent: boolean;
  readonly isPeek: boolean;
  /** Nodes print no guards. */
  readonly hasGuard: boolean;
}

/** `undecided`: names or values of the program can be assigned in too many ways, or are known only when it runs. */
export type SourceVerdict = "equal" | "different" | "undecided";

/** Names that a program makes around a contract. */
const maxNames = 12;

/** Names that no program makes: the one that is looked at, and all others. */
const [hereId, elsewhereId] = ["fe".repeat(32), "ff".repeat(32)];

/** The limit of one request: substitutions of a contract's terms. */
export class ComparisonBudget {
  #left = 150;

  /** @returns whether there was one left */
  take(): boolean {
    this.#left -= 1;
    return this.#left >= 0;
  }
}

/**
 * Whether a contract of a program is a receive of a state: whether there are private names for those that the program
 * makes with which its normalized terms are the stored ones, byte for byte.
 *
 * The search is heuristic; the last comparison is exact.
 *
 * @cost bounded: the budget
 */
export function compareContract(
  contract: SourceContract,
  stored: StoredContract,
  { forms, budget }: { readonly forms: ProgramForms; readonly budget: ComparisonBudget },
): SourceVerdict {
  const { receive } = contract;
  const [bind] = receive.binds;
  const isAlike =
    receive.binds.length === 1 &&
    receive.persistent === stored.isPersistent &&
    receive.peek === stored.isPeek &&
    (receive.condition !== undefined) === stored.hasGuard &&
    bind!.patterns.length === stored.patterns.length &&
    (bind!.remainder !== undefined) === stored.hasRemainder;
  if (!isAlike) return "different";
  if (stored.hasGuard) return "undecided";
  return new Comparison(contract, stored, { forms, budget }).search();
}

class Comparison {
  readonly #contract: SourceContract;
  readonly #forms: ProgramForms;
  readonly #budget: ComparisonBudget;
  /** The stored terms. */
  readonly #wanted: readonly string[];

  constructor(
    contract: SourceContract,
    stored: StoredContract,
    { forms, budget }: { readonly forms: ProgramForms; readonly budget: ComparisonBudget },
  ) {
    this.#contract = contract;
    this.#forms = forms;
    this.#budget = budget;
    this.#wanted = [...stored.patterns, stored.body].map((bytes) => sortedHex(bytes, forms));
  }

  search(): SourceVerdict {
    const used = this.#usedVariables();
    if (used === undefined) return "undecided";
    const ids = privateIds(this.#wanted);
    // Most contracts differ in more than their names.
    const bare = this.#termsWith(() => elsewhereId);
    if (bare === undefined) return "undecided";
    const isDecided = used.every((index) => this.#contract.around[index]!.kind === "made");
    if (isDecided && bare !== this.#marked("", ids)) return "different";
    if (!isDecided || used.length > maxNames || ids.length > maxNames) return "undecided";
    const shapes = ids.map((id) => ({ id, shape: this.#marked(id, ids) }));
    const candidates: string[][] = [];
    for (const index of used) {
      const own = this.#termsWith((at) => (at === index ? hereId : elsewhereId));
      if (own === undefined) return "undecided";
      candidates.push(shapes.filter(({ shape }) => shape === own).map(({ id }) => id));
    }
    return this.#assign(used, candidates, new Map());
  }

  /** The variables around the contract that it has, fixed ones apart. */
  #usedVariables(): number[] | undefined {
    const { around } = this.#contract;
    const idAt = (index: number) => `fd${index.toString(16).padStart(62, "0")}`;
    const terms = this.#termsWith(idAt);
    if (terms === undefined) return undefined;
    return around.flatMap(({ kind }, index) => (kind !== "fixed" && terms.includes(idAt(index)) ? [index] : []));
  }

  /** Tries the names of the state for those of the program; two that a program makes are never one. */
  #assign(used: readonly number[], candidates: readonly string[][], assigned: Map<number, string>): SourceVerdict {
    const place = assigned.size;
    if (place === used.length) {
      const terms = this.#termsWith((at) => assigned.get(at) ?? elsewhereId);
      return terms === undefined ? "undecided" : terms === this.#wanted.join() ? "equal" : "different";
    }
    for (const id of candidates[place]!) {
      if ([...assigned.values()].includes(id)) continue;
      const verdict = this.#assign(used, candidates, new Map([...assigned, [used[place]!, id]]));
      if (verdict !== "different") return verdict;
    }
    return "different";
  }

  /** The stored terms as they are with one name marked, and all others alike. */
  #marked(id: string, ids: readonly string[]): string {
    const markOf = (other: string) => (other === id ? hereId : elsewhereId);
    const marked = this.#wanted.map((hex) => ids.reduce((text, other) => text.replaceAll(other, markOf(other)), hex));
    return marked.map((hex) => sortedHex(hex, this.#forms)).join();
  }

  /** The contract's terms with names for the variables around it. @returns `undefined` where the budget is used up */
  #termsWith(idAt: (index: number) => string): string | undefined {
    if (!this.#budget.take()) return undefined;
    const { receive, around } = this.#contract;
    const values = around.map((variable, index) => (variable.kind === "fixed" ? variable.value : nameOf(idAt(index))));
    const { substitute, terms } = this.#forms;
    const patterns = receive.binds[0]!.patterns.map((pattern) => substitute(pattern, 1, values, 0));
    const all = [...patterns, substitute(receive.body, 0, values, receive.bindCount)];
    return all.map((par) => toHex(terms.encodePar(par))).join();
  }
}

function nameOf(id: string): Par {
  return Par.of({ unforgeables: [new GPrivate(fromHex(id))] });
}

/** The ids of 32 bytes that private names in the bytes of terms seem to have. */
function privateIds(terms: readonly string[]): string[] {
  return [...new Set(terms.flatMap((hex) => [...hex.matchAll(/0a220a20([0-9a-f]{64})/g)].map(([, id]) => id!)))];
}

/** In canonical order: bodies are stored as they were substituted. */
function sortedHex(hex: string, { terms }: ProgramForms): string {
  return toHex(terms.encodePar(terms.sortPar(terms.decodePar(fromHex(hex)))));
}
