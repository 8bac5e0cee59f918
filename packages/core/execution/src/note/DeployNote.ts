import type { OutputStream } from "@vedette/rholang";

/** Why a program failed: one of the errors of its branches. */
export interface DeployFault {
  /** rnode's name. @spec 21 §9.1 */
  readonly class: string;
  readonly text: string;
  /** Where in its text, as far as the error tells; both count from 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** What a program wrote, also one that failed afterwards. */
export interface DeployPrint {
  readonly stream: OutputStream;
  readonly text: string;
}

/** What a block does not tell of a deploy in it. @spec 41 §8.4 */
export interface DeployNote {
  readonly faults: readonly DeployFault[];
  readonly prints: readonly DeployPrint[];
  /** There was more, or longer text, than is kept. */
  readonly isCut: boolean;
}

/** Of a deploy that did what it says and wrote nothing. */
export const emptyNote: DeployNote = { faults: [], prints: [], isCut: false };

/** Whether there is nothing to tell. */
export function isEmptyNote({ faults, prints, isCut }: DeployNote): boolean {
  return faults.length === 0 && prints.length === 0 && !isCut;
}
