import { type Column, type IndexTable, indexTables } from "@vedette/indexer/schema";
import { code, page, table } from "../markdown.js";

/** Every table and view of the index. @spec 60 §2 */
export function schemaPage(): string {
  const shown = indexTables.filter(({ isInner }) => isInner !== true);
  const inner = indexTables.filter(({ isInner }) => isInner === true);
  return page(
    "Tables of the index",
    "`packages/services/indexer/src/schema`",
    "For users of SQL and GraphQL. These tables exist with `index.enabled`, for SQL (`vedette sql`, or your PostgreSQL) and, except the inner tables, for GraphQL (`/graphql`). Hashes, keys and ids are hexadecimal; amounts are integers in the smallest unit, 100,000,000 per token. In SQLite booleans are 1 or 0, JSON and times are text. Details: [chapter 60](../protocol/60-index.md).",
    "## Tables and views",
    table(
      ["name", "of", "what"],
      shown.map(({ name, origin, doc }) => [`[${name}](#${name})`, originOf(origin), doc]),
    ),
    ...shown.map(tableText),
    "## Inner tables",
    "Sources of the ecosystem's tables: for SQL only, may change.",
    ...inner.map(tableText),
  );
}

function originOf(origin: IndexTable["origin"]): string {
  return origin === "ecosystem" ? "the ecosystem" : "Vedette";
}

function tableText({ name, doc, columns, primaryKey, relations = {}, view }: IndexTable): string {
  const rows = Object.entries(columns).map(([column, facts]) => [code(column), typeText(facts), facts.doc]);
  const key = primaryKey.length === 0 ? "" : ` Key: ${primaryKey.map(code).join(", ")}.`;
  const related = Object.entries(relations).map(
    ([relation, { kind, table: other, column, otherColumn }]) =>
      `${code(relation)} (${kind === "object" ? "the row" : "rows"} of ${code(other)} with ${code(otherColumn)} = ${code(column)})`,
  );
  const relationText = related.length === 0 ? [] : [`In GraphQL also: ${related.join(", ")}.`];
  return [
    `### ${name}`,
    `${view === undefined ? "Table" : "View"}. ${doc}${key}`,
    table(["column", "type", "what"], rows),
    ...relationText,
  ].join("\n\n");
}

function typeText({ type, isNullable }: Column): string {
  return isNullable === true ? `${type}, or null` : type;
}
