/** Id of the unprivileged user of most systems. */
const unprivilegedUser = 65_534;

/**
 * Runs a function without the rights of root, which can open any file. Does nothing else if this process is not root's.
 *
 * @param run must not await anything: the whole process has other rights meanwhile
 */
export function asOrdinaryUser<Result>(run: () => Result): Result {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid?.(unprivilegedUser);
  try {
    return run();
  } finally {
    process.seteuid?.(0);
  }
}
