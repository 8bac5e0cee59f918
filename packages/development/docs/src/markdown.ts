/** A table; cells keep to their line. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
}

/** Text as code; nothing where there is none. */
export function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}

/** Joins a page's heading, the note that it is generated, and its parts, with empty lines between them. */
export function page(heading: string, source: string, ...parts: readonly string[]): string {
  const note = `<!-- Made by \`npm run docs\` from ${source}; edit that. -->`;
  return `${[`# ${heading}`, note, ...parts].join("\n\n")}\n`;
}
