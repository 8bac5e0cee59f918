import type { Random } from "@vedette/crypto";
import { checkMatchVector, type MatchVector } from "./checkMatchVector.js";
import { checkParseVector, type ParseVector } from "./checkParseVector.js";
import { EvalChecks, type EvalVector } from "./EvalChecks.js";
import type { VectorDialect } from "./VectorDialect.js";
import type { VectorVerdict } from "./VectorVerdict.js";

/** A vector, and what our answer differs in from the recorded one; nothing where the two agree. */
export interface CheckedVector {
  readonly id: string;
  readonly differences: readonly string[];
}

/** The kind of a file of vectors. `state` has whole states beside the content of `eval`. */
export type VectorKind = "parse" | "eval" | "match" | "state";

const kinds: readonly VectorKind[] = ["parse", "eval", "match", "state"];

/** Returns the kind of vectors that a file holds, by its name alone; `undefined` for a file of something else. */
export function vectorKindOf(fileName: string): VectorKind | undefined {
  const name = fileName.slice(fileName.lastIndexOf("/") + 1);
  const found = /^(parse|eval|match|state)[^/]*\.jsonl(\.gz)?$/.exec(name)?.[1];
  return kinds.find((kind) => kind === found);
}

/** Checks vectors of one dialect. */
export class VectorChecks<Rand extends Random<Rand>> {
  private readonly evaluations: EvalChecks<Rand>;

  constructor(private readonly dialect: VectorDialect<Rand>) {
    this.evaluations = new EvalChecks(dialect);
  }

  /**
   * Checks a file of vectors: one JSON object a line. A line that cannot be read is a difference, not an exception.
   *
   * @param text the file's content
   */
  *lines(kind: VectorKind, text: string): Generator<CheckedVector> {
    for (const [index, line] of text.split("\n").entries())
      if (line.trim() !== "") yield this.line(kind, line, index + 1);
  }

  private line(kind: VectorKind, line: string, number: number): CheckedVector {
    let id = `line ${number}`;
    try {
      const vector = JSON.parse(withExactNumbers(line)) as { readonly id: string };
      id = vector.id;
      const verdict = this.vector(kind, vector);
      return { id, differences: verdict.ok ? [] : verdict.differences };
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { id, differences: [`not checked: ${text}`] };
    }
  }

  private vector(kind: VectorKind, vector: unknown): VectorVerdict {
    switch (kind) {
      case "parse":
        return checkParseVector(vector as ParseVector, this.dialect);
      case "eval":
      case "state":
        return this.evaluations.check(vector as EvalVector);
      case "match":
        return checkMatchVector(vector as MatchVector, this.dialect);
    }
  }
}

/** Costs beyond 2^53 become texts: a number of JSON would lose their last digits. */
function withExactNumbers(line: string): string {
  return line.replace(/("cost":\s*)(-?\d{16,})/g, '$1"$2"');
}
