/** Exit codes of the program. @spec 50 §6.4 */
export const exitCodes = {
  success: 0,
  /** The command ran and the answer is no: a vector fails, a block differs, a program has an error. */
  failure: 1,
  /** The command line cannot be understood. */
  usage: 1,
  /** The terminal of a node in the foreground is gone (SIGHUP). */
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;
