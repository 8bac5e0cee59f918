// The tables of docs/reference/package-layout.md, from the table of layers.

/** The marks around the tables in the page. */
const [begin, end] = ["<!-- tables: written by `npm run layers -- --write` -->\n", "<!-- end of the tables -->\n"];

/**
 * Puts the tables into the page.
 *
 * @param {string} page text of docs/reference/package-layout.md
 * @param {typeof import("./table.mjs").layers} layers
 * @returns {string} the page with the tables of these layers
 */
export function withTables(page, layers) {
  const [head, rest] = page.split(begin);
  const tail = rest?.split(end)[1];
  if (tail === undefined) throw new Error(`the page lacks ${begin.trim()} or ${end.trim()}`);
  return `${head}${begin}\n${layers.map(tableOf).join("\n")}\n${end}${tail}`;
}

function tableOf({ name, about, packages }) {
  const rows = packages.map(
    ({ name, imports, tests, about }) =>
      `| \`${name}\` | ${imports.join(", ") || "nothing"} | ${tests.join(", ") || "–"} | ${about} |\n`,
  );
  const head =
    "| package | imports | its tests also import | contents (chapters of `docs/protocol`) |\n|---|---|---|---|\n";
  return `### \`packages/${name}/\`\n\n${about}\n\n${head}${rows.join("")}`;
}
