/** The user `nobody` of most systems. */
const nobody = 65_534;

/**
 * Runs something without the rights of root, for which no file is locked; as it is where this process is not root's.
 *
 * @param run must not await anything: the whole process has other rights meanwhile
 */
export function asOrdinaryUser<Result>(run: () => Result): Result {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid?.(nobody);
  try {
    return run();
  } finally {
    process.seteuid?.(0);
  }
}
