import type { OutputStream } from "@vedette/rholang";

/** Why a program failed: one of the errors of its branches. */
export interface DeployFault {
  /** rnode's name. @spec 21 §9.1 */
  readonly class: string;
  readonly text: string;
  /** Where in its text, if the error has a place; both count from 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** The output of a program, also of one that failed afterwards. */
export interface DeployPrint {
  readonly stream: OutputStream;
  readonly text: string;
}

/** Facts about a deploy that its block does not record. @spec 41 §8.4 */
export interface DeployNote {
  readonly faults: readonly DeployFault[];
  readonly prints: readonly DeployPrint[];
  /** There was more, or longer text, than is kept. */
  readonly isCut: boolean;
}

/** The note of a deploy that succeeded and printed nothing. */
export const emptyNote: DeployNote = { faults: [], prints: [], isCut: false };

/** Returns whether a note has neither faults nor prints. */
export function isEmptyNote({ faults, prints, isCut }: DeployNote): boolean {
  return faults.length === 0 && prints.length === 0 && !isCut;
}
