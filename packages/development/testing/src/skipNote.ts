/**
 * Returns what a title ends with where its test cannot run on this machine.
 *
 * @param reason why it is skipped; undefined where it runs
 * @returns ` (skipped: <reason>)`, or nothing
 */
export function skipNote(reason: string | undefined): string {
  return reason === undefined ? "" : ` (skipped: ${reason})`;
}
