/**
 * Whoever may send signals must not open a debugger in the process, which has its keys: Node.js does so at SIGUSR1
 * where nobody takes that signal. `--disable-sigusr1` is not there in Node.js 20. A process that is to be debugged is
 * started with `--inspect`.
 */
process.on("SIGUSR1", () => {});

export {};
