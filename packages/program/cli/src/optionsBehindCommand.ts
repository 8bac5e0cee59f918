import type { Command, Option } from "commander";

/** Options of rnode's program for the address of a node, with their names in our commands. */
const clientOptions: Readonly<Record<string, string>> = {
  "-h": "--grpc-host",
  "--grpc-host": "--grpc-host",
  "-p": "--grpc-port",
  "--grpc-port": "--grpc-port",
  "-s": "--grpc-max-recv-message-size",
  "--grpc-max-recv-message-size": "--grpc-max-recv-message-size",
};

/** Options that rnode takes before every command, also before those to which they mean nothing. */
const globalOptions: ReadonlySet<string> = new Set([...Object.values(clientOptions), "--profile"]);

/**
 * Moves options before the command to their place after it: `-h node -p 40401 status`, `--config-file node.conf run`.
 *
 * Options of rnode without a meaning for the command are left out, as in rnode.
 *
 * @param program the program with the commands
 * @returns the unchanged arguments if no command follows the options: they are those of `run`
 * @spec 50 §5.1, §5.6, §7
 */
export function optionsBehindCommand(args: readonly string[], program: Command): string[] {
  const run = program.commands.find((one) => one.name() === "run");
  const moved: GivenOption[] = [];
  let at = 0;
  while (args[at]?.startsWith("-") === true) {
    const given = readOption(args.slice(at), run?.options ?? []);
    if (given === undefined) return [...args];
    moved.push(given);
    at += given.length;
  }
  const rest = args.slice(at);
  if (moved.length === 0 || rest.length === 0) return [...args];
  const { command, words } = commandOf(rest, program);
  const isUnderstood = ({ name }: GivenOption) =>
    !globalOptions.has(name) || command.options.some(({ long }) => long === name);
  const behind = moved.filter(isUnderstood).flatMap((one) => one.words);
  return command === program ? rest : [...rest.slice(0, words), ...behind, ...rest.slice(words)];
}

/** An option in its form after the command. */
interface GivenOption {
  /** As it is called there. */
  readonly name: string;
  readonly words: readonly string[];
  /** How many arguments it took. */
  readonly length: number;
}

/** @returns `undefined` if the first argument is not an option that is allowed before a command, or lacks its value */
function readOption(args: readonly string[], runOptions: readonly Option[]): GivenOption | undefined {
  const [flag = "", value] = args[0]!.split(/=(.*)/s);
  const next = args[1];
  const client = clientOptions[flag];
  // Some letters are also options of `run` that take no value: `-s --bootstrap …`.
  if (client !== undefined && (value ?? next)?.startsWith("-") === false) return valued(client, value, next);
  const option = runOptions.find(({ short, long }) => short === flag || long === flag);
  if (option === undefined) return undefined;
  return option.required ? valued(flag, value, next) : { name: flag, words: [args[0]!], length: 1 };
}

function valued(name: string, value: string | undefined, next: string | undefined): GivenOption | undefined {
  if (value !== undefined) return { name, words: [`${name}=${value}`], length: 1 };
  return next === undefined ? undefined : { name, words: [name, next], length: 2 };
}

/** The command that the first words name, and how many they are; program text where they name none. */
function commandOf(args: readonly string[], program: Command): { readonly command: Command; readonly words: number } {
  let [command, words] = [program, 0];
  for (const word of args) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next === undefined) break;
    [command, words] = [next, words + 1];
  }
  return { command, words };
}
