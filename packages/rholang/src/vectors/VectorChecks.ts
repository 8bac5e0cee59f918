import type { Random } from "@vedette/crypto";
import { checkMatchVector, type MatchVector } from "./checkMatchVector.js";
import { checkParseVector, type ParseVector } from "./checkParseVector.js";
import { EvalChecks, type EvalVector } from "./EvalChecks.js";
import type { VectorDialect } from "./VectorDialect.js";
import type { VectorVerdict } from "./VectorVerdict.js";

/** A vector whose answer is not the reference's. */
export interface FailedVector {
  readonly id: string;
  readonly differences: readonly string[];
}

/** What a file of vectors came to. */
export interface VectorFileResult {
  readonly checked: number;
  readonly failed: readonly FailedVector[];
  /** Vectors whose answer is not the recorded one, of those that the reference itself does not determine. */
  readonly notDetermined: readonly string[];
}

/** What a file of vectors is about. `state` has whole states beside what `eval` has. */
export type VectorKind = "parse" | "eval" | "match" | "state";

const kinds: readonly VectorKind[] = ["parse", "eval", "match", "state"];

/** Which kind of vectors a file holds, by its name alone; `undefined` for a file of something else. */
export function vectorKindOf(fileName: string): VectorKind | undefined {
  const name = fileName.slice(fileName.lastIndexOf("/") + 1);
  const found = /^(parse|eval|match|state)[^/]*\.jsonl$/.exec(name)?.[1];
  return kinds.find((kind) => kind === found);
}

/** Checks files of vectors of one dialect. */
export class VectorChecks<Generator extends Random<Generator>> {
  private readonly evaluations: EvalChecks<Generator>;

  /** @param undetermined ids of vectors of which the reference gives now this answer, now that */
  constructor(
    private readonly dialect: VectorDialect<Generator>,
    private readonly undetermined: ReadonlySet<string> = new Set(),
  ) {
    this.evaluations = new EvalChecks(dialect);
  }

  /**
   * Checks a file of vectors: one JSON object a line.
   *
   * @param fileName tells the kind of vectors
   * @param text     the file's content
   * @returns `undefined` when the file holds none
   */
  file(fileName: string, text: string): VectorFileResult | undefined {
    const kind = vectorKindOf(fileName);
    if (kind === undefined) return undefined;
    const failed: FailedVector[] = [];
    const notDetermined: string[] = [];
    let checked = 0;
    for (const [index, line] of text.split("\n").entries()) {
      if (line.trim() === "") continue;
      checked += 1;
      const { id, verdict } = this.line(kind, line, index + 1);
      if (verdict.ok) continue;
      if (this.undetermined.has(id)) notDetermined.push(id);
      else failed.push({ id, differences: verdict.differences });
    }
    return { checked, failed, notDetermined };
  }

  private line(
    kind: VectorKind,
    line: string,
    number: number,
  ): { readonly id: string; readonly verdict: VectorVerdict } {
    let id = `line ${number}`;
    try {
      const vector = JSON.parse(line) as { readonly id: string };
      id = vector.id;
      return { id, verdict: this.vector(kind, vector) };
    } catch (error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { id, verdict: { ok: false, differences: [`not checked: ${text}`] } };
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
