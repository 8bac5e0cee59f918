/** Commands of the reference's program that ask a node. @spec 50 §5.6 */
const referenceCommands = new Set([
  "deploy",
  "find-deploy",
  "propose",
  "show-block",
  "show-blocks",
  "vdag",
  "mvdag",
  "last-finalized-block",
  "is-finalized",
  "bond-status",
  "listen-data-at-name",
  "listen-cont-at-name",
  "repl",
  "eval",
  "status",
]);

/** The reference's global options that say where the node is, and how ours are called. */
const globalOptions: Readonly<Record<string, string>> = {
  "-h": "--grpc-host",
  "--grpc-host": "--grpc-host",
  "-p": "--grpc-port",
  "--grpc-port": "--grpc-port",
  "-s": "--grpc-max-recv-message-size",
  "--grpc-max-recv-message-size": "--grpc-max-recv-message-size",
};

/**
 * Takes the reference's global options behind the command, where ours stand: `-h node -p 40401 status`.
 *
 * @spec 50 §5.6
 */
export function clientArguments(args: readonly string[]): string[] {
  const moved: string[] = [];
  let at = 0;
  for (; at < args.length; at += 1) {
    const [flag = "", value] = args[at]!.split(/=(.*)/s);
    const name = globalOptions[flag];
    if (name === undefined) break;
    moved.push(name, value ?? args[(at += 1)] ?? "");
  }
  const command = args[at];
  // Anything else keeps its order: `-p` without a command is an option of `run`.
  if (command === undefined || !referenceCommands.has(command)) return [...args];
  return [command, ...moved, ...args.slice(at + 1)];
}
