/** Exit codes of the program. @spec 50 §6.4 */
export const exitCodes = {
  success: 0,
  failure: 1,
  usage: 1,
  refused: 3,
  noEffect: 4,
  notFinal: 5,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/** When each is given, for people. @spec 50 §6.4 */
export const exitCodeTexts: { readonly [name in keyof typeof exitCodes]: string } = {
  success: "Done; help and version, too.",
  failure:
    "The answer is no (a vector fails, a block differs, a program has an error, `is-finalized`, `bond-status`, `config check`), or it could not be done: the configuration is wrong, ports are taken, the data directory, a key or the genesis files are unusable, a node is out of reach, something failed while running.",
  refused: "The contract refused a deploy's request; the answer has its reason (`result`: `refused`).",
  noEffect:
    "The deploy did nothing: it failed, a merge gave it up, or the contract that it calls never answered (`result`: `noEffect`).",
  notFinal: "It was waited for, and what the deploy does was not final in time (`result`: `notFinal`).",
  usage: "The command line is not understood.",
  hungUp: "The terminal of a node in the foreground is gone (SIGHUP).",
  interrupted: "Ended by SIGINT (Ctrl-C).",
  terminated: "Ended by SIGTERM, or the launcher of the node is gone.",
};
