/**
 * Ignores SIGUSR1: without a handler, Node.js opens a debugger at that signal, which could read the keys in memory.
 * Node.js 20 has no `--disable-sigusr1`. Start a process that is to be debugged with `--inspect`.
 */
process.on("SIGUSR1", () => {});

export {};
