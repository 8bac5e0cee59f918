import type { CheckedVector } from "@vedette/rholang";

/** The known facts about a file's vectors before they are checked. */
export interface VectorExpectations {
  /** Ids of vectors of which rnode itself gives different answers. */
  readonly notDetermined: ReadonlySet<string>;
  /** Ids of vectors that this build is known to answer otherwise. */
  readonly knownFailures: ReadonlySet<string>;
}

/** The result of checking a file of vectors. */
export interface VectorFileResult {
  readonly checked: number;
  readonly passed: number;
  /** Vectors with an unexpected answer, known failures that pass among them. */
  readonly failed: readonly CheckedVector[];
  /** Vectors with another answer than the recorded one, of those that rnode itself does not determine. */
  readonly notDetermined: readonly string[];
  readonly knownFailures: readonly string[];
}

/** Sorts the vectors of a file by what became of them. */
export function tallyVectors(
  vectors: Iterable<CheckedVector>,
  { notDetermined, knownFailures }: VectorExpectations,
): VectorFileResult {
  const failed: CheckedVector[] = [];
  const undetermined: string[] = [];
  const known: string[] = [];
  const unseen = new Set(knownFailures);
  let [checked, passed] = [0, 0];
  for (const vector of vectors) {
    checked += 1;
    const { id, differences } = vector;
    unseen.delete(id);
    if (knownFailures.has(id)) {
      if (differences.length > 0) known.push(id);
      else failed.push({ id, differences: ["passes: remove its id from knownFailures in suite.json"] });
    } else if (differences.length > 0) {
      if (notDetermined.has(id)) undetermined.push(id);
      else failed.push(vector);
    } else passed += 1;
  }
  for (const id of unseen)
    failed.push({ id, differences: ["is not in the file: remove it from knownFailures in suite.json"] });
  return { checked, passed, failed, notDetermined: undetermined, knownFailures: known };
}
