import { Argument, type Command } from "commander";
import type { CommandWords, Word } from "./commandWords.js";
import { commandWords } from "./commandWords.js";

/** `vedette completion <shell>`. To be added when all other commands are there. */
export function addCompletion(vedette: Command): void {
  vedette
    .command("completion")
    .description("print a shell script that completes commands and options")
    .addArgument(new Argument("<shell>").choices(shells))
    .addHelpText("after", "\nExample:\n  source <(vedette completion bash)")
    .action((shell: Shell) => {
      process.stdout.write(completionScript(shell, commandWords(vedette)));
    });
}

/** Shells with configurable completion. */
const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/**
 * Makes a script that gives a shell the words of the program `vedette`. It contains all words: no program runs for
 * them.
 */
export function completionScript(shell: Shell, all: readonly CommandWords[]): string {
  switch (shell) {
    case "bash":
      return bashScript(all);
    case "zsh":
      return zshScript(all);
    case "fish":
      return fishScript(all);
  }
}

/** A text between single quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const wordsOf = (words: readonly Word[]) => words.map(({ word }) => word).join(" ");
const below = (all: readonly CommandWords[]) => all.filter(({ path }) => path !== "");

function bashScript(all: readonly CommandWords[]): string {
  const values = all.flatMap((one) =>
    one.values.map(
      ({ option, values }) => `    ${quoted(`${one.path} ${option}`)}) choices=${quoted(values.join(" "))} ;;`,
    ),
  );
  return `# Completion of vedette for bash. In ~/.bashrc: source <(vedette completion bash)
_vedette() {
  local current=\${COMP_WORDS[COMP_CWORD]} path= word commands= options= choices=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
${below(all)
  .map(({ path }) => `      ${quoted(path)}) path=${quoted(path)} ;;`)
  .join("\n")}
    esac
  done
  case "$path" in
${all
  .map(
    (one) =>
      `    ${quoted(one.path)}) commands=${quoted(wordsOf(one.commands))} options=${quoted(wordsOf(one.options))} ;;`,
  )
  .join("\n")}
  esac
  case "$path \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join("\n")}
  esac
  if [[ -n $choices ]]; then COMPREPLY=($(compgen -W "$choices" -- "$current"))
  elif [[ $current == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$current"))
  else COMPREPLY=($(compgen -W "$commands" -- "$current")); fi
}
complete -o default -F _vedette vedette
`;
}

function zshScript(all: readonly CommandWords[]): string {
  const entry = ({ word, text }: Word) => quoted(`${word}:${text.replaceAll(":", "\\:")}`);
  const values = all.flatMap((one) =>
    one.values.map(
      ({ option, values }) =>
        `    ${quoted(`${one.path} ${option}`)}) compadd -- ${values.map(quoted).join(" ")}; return ;;`,
    ),
  );
  return `#compdef vedette
# Completion of vedette for zsh. In ~/.zshrc, after compinit: source <(vedette completion zsh)
_vedette() {
  local place= word
  local -a entries
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${place:+$place }$word" in
${below(all)
  .map(({ path }) => `      ${quoted(path)}) place=${quoted(path)} ;;`)
  .join("\n")}
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${values.join("\n")}
  esac
  case "$place" in
${all
  .map(({ path, commands, options }) => {
    const files =
      commands.length === 0 ? "_files" : `entries=(${commands.map(entry).join(" ")}); _describe command entries`;
    return `    ${quoted(path)}) if [[ \${words[CURRENT]} == -* ]]; then entries=(${options.map(entry).join(" ")}); _describe option entries; else ${files}; fi ;;`;
  })
  .join("\n")}
  esac
}
compdef _vedette vedette
`;
}

function fishScript(all: readonly CommandWords[]): string {
  const lines = all.flatMap(({ path, commands, options, values }) => {
    const where = `complete -c vedette -n ${quoted(`__vedette_at ${quoted(path)}`)}`;
    const choices = new Map(values.map(({ option, values }) => [option, values]));
    return [
      ...commands.map(({ word, text }) => `${where} -f -a ${quoted(word)} -d ${quoted(text)}`),
      ...options.map(({ word, text }) => {
        const some = choices.get(word);
        const ending = some === undefined ? "" : ` -x -a ${quoted(some.join(" "))}`;
        return `${where} -l ${quoted(word.slice(2))} -d ${quoted(text)}${ending}`;
      }),
    ];
  });
  return `# Completion of vedette for fish: vedette completion fish > ~/.config/fish/completions/vedette.fish
function __vedette_at
  set -l place ''
  for word in (commandline -opc)[2..]
    set -l longer (string trim -- "$place $word")
    contains -- $longer ${below(all)
      .map(({ path }) => quoted(path))
      .join(" ")}; and set place $longer
  end
  test "$place" = "$argv[1]"
end
${lines.join("\n")}
`;
}
