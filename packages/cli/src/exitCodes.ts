/** Exit codes of the program. @spec 50 §6.4 */
export const exitCodes = {
  success: 0,
  failure: 1,
  usage: 1,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/** When each is given, for people. @spec 50 §6.4 */
export const exitCodeTexts: { readonly [name in keyof typeof exitCodes]: string } = {
  success: "Done; help and version, too.",
  failure:
    "The answer is no (a vector fails, a block differs, a program has an error, a deploy failed, `is-finalized`, `bond-status`, `config check`), or it could not be done: the configuration is wrong, ports are taken, the data directory, a key or the genesis files are unusable, a node is out of reach, something failed while running.",
  usage: "The command line is not understood.",
  hungUp: "The terminal of a node in the foreground is gone (SIGHUP).",
  interrupted: "Ended by SIGINT (Ctrl-C).",
  terminated: "Ended by SIGTERM, or the launcher of the node is gone.",
};
