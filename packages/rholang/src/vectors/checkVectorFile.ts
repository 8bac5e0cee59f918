import { checkEvalVector, type EvalVector } from "./checkEvalVector.js";
import { checkMatchVector, type MatchVector } from "./checkMatchVector.js";
import { checkParseVector, type ParseVector } from "./checkParseVector.js";
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
}

/** Which kind of vectors a file holds, by its name alone; `undefined` for a file of something else. */
export function vectorKindOf(fileName: string): "parse" | "eval" | "match" | undefined {
  const name = fileName.slice(fileName.lastIndexOf("/") + 1);
  const kind = /^(parse|eval|match)[^/]*\.jsonl$/.exec(name)?.[1];
  return kind === "parse" || kind === "eval" || kind === "match" ? kind : undefined;
}

/**
 * Checks a file of vectors: one JSON object a line.
 *
 * @param fileName tells the kind of vectors
 * @param text     the file's content
 * @returns `undefined` when the file holds none
 */
export function checkVectorFile(fileName: string, text: string): VectorFileResult | undefined {
  const kind = vectorKindOf(fileName);
  if (kind === undefined) return undefined;
  const failed: FailedVector[] = [];
  let checked = 0;
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    checked += 1;
    const { id, verdict } = checkLine(kind, line, index + 1);
    if (!verdict.ok) failed.push({ id, differences: verdict.differences });
  }
  return { checked, failed };
}

function checkLine(
  kind: "parse" | "eval" | "match",
  line: string,
  number: number,
): { readonly id: string; readonly verdict: VectorVerdict } {
  let id = `line ${number}`;
  try {
    const vector = JSON.parse(line) as { readonly id: string };
    id = vector.id;
    return { id, verdict: checkVector(kind, vector) };
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, verdict: { ok: false, differences: [`not checked: ${text}`] } };
  }
}

function checkVector(kind: "parse" | "eval" | "match", vector: { readonly id: string }): VectorVerdict {
  switch (kind) {
    case "parse":
      return checkParseVector(vector as ParseVector);
    case "eval":
      return checkEvalVector(vector as EvalVector);
    case "match":
      return checkMatchVector(vector as MatchVector);
  }
}
