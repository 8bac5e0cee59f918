import { documents } from "./documents.js";

/** A command that the reader of a document types. */
export interface ShellCommand {
  readonly path: string;
  /** Without comment, lines that go on joined. */
  readonly text: string;
}

/** The beginning of a line that is a command. */
const commandStart =
  /^(sudo |\S+\/bin\/vedette |[A-Z_]+=\S+( |$)|(vedette|npx|npm|node|curl|docker|helm|podman|podman-compose|grpcurl|echo|cat|mkdir|cd|cp|nano|tar|apt|apt-get|dpkg|systemctl|journalctl|bash|source|export|sed)\b)/;

/** All commands of the documents that readers follow: fenced as `sh`, or indented. The protocol and rnode have none. */
export function shellCommands(): ShellCommand[] {
  return documents()
    .filter(({ path }) => !/^docs\/(protocol|reference)\//.test(path))
    .flatMap(({ path, text }) =>
      blocksOf(text).flatMap((block) => commandsOf(block).map((one) => ({ path, text: one }))),
    );
}

/** A file that the reader of a document writes: named as "… into `name`:", with its content in a fence below. */
export interface GuideFile {
  readonly path: string;
  readonly name: string;
  readonly text: string;
}

const filePattern = /Put this into `([^`]+)`:\n\n```\w*\n([\s\S]*?)^```$/gm;

/** All files of a document, in its order. */
export function guideFiles(): GuideFile[] {
  return documents().flatMap(({ path, text }) =>
    [...text.matchAll(filePattern)].map(([, name, body]) => ({ path, name: name!, text: body! })),
  );
}

/** Returns the steps of a reader who follows a document from its beginning: writes files, types commands. */
export function guideScript(path: string): string[] {
  const { text } = documents().find((one) => one.path === path)!;
  const steps = text.matchAll(new RegExp(`${filePattern.source}|(?:^ {4}.*\\n?)+`, "gm"));
  return [...steps].flatMap(([step, name, body]) =>
    name === undefined
      ? commandsOf(step.replaceAll(/^ {4}/gm, ""))
      : [`mkdir -p "$(dirname ${name})" && cat > ${name} <<'END OF FILE'\n${body}END OF FILE`],
  );
}

/**
 * Returns the steps of a document in its order, by their beginnings; others may be between them only if they have a
 * reason to be left out.
 */
export function stepsInOrder(path: string, isLeftOut: (step: string) => boolean): (beginning: string) => string {
  const steps = guideScript(path).filter((step) => !isLeftOut(step));
  return (beginning) => {
    const step = steps.shift();
    if (step?.startsWith(beginning) !== true)
      throw new Error(`${path}: ${beginning} is not what comes next, but ${step}`);
    return step;
  };
}

/** Settings that a document has its reader put into a configuration: its indented blocks in HOCON. */
export function guideSettings(path: string): string[] {
  const { text } = documents().find((one) => one.path === path)!;
  return [...text.matchAll(/(?:^ {4}.*\n?)+/gm)]
    .map(([block]) => block.replaceAll(/^ {4}/gm, ""))
    .filter((block) => /^[a-z-]+(\.[a-z-]+)+ *[={]/.test(block));
}

function blocksOf(text: string): string[] {
  const fenced: string[] = [];
  const rest = text.replaceAll(/^```(\S*)[^\n]*\n([\s\S]*?)^```$/gm, (_all, language: string, body: string) => {
    if (/^(sh|bash|shell|console)$/.test(language)) fenced.push(body);
    return "";
  });
  const indented = [...rest.matchAll(/(?:^ {4}.*\n?)+/gm)].map(([block]) => block.replaceAll(/^ {4}/gm, ""));
  return [...fenced, ...indented];
}

function commandsOf(block: string): string[] {
  const lines = block
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .map((line) =>
      line
        .replace(/^\$ /, "")
        .replace(/\s+#(?=\s).*$/, "")
        .trim(),
    );
  return lines.filter((line) => commandStart.test(line));
}
