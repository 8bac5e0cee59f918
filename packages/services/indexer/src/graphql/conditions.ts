import { GraphQLError } from "graphql";
import { type RawBuilder, sql } from "kysely";
import type { IndexLocation } from "../database/openDatabase.js";
import type { Column, IndexTable } from "../schema/IndexTable.js";
import { tableNamed } from "../schema/tables.js";
import { dustOf } from "./scalars.js";

type Condition = RawBuilder<boolean>;
type Given = Readonly<Record<string, unknown>>;

const always: Condition = sql`1 = 1`;
const never: Condition = sql`1 = 0`;

/** Values that one condition may name, and conditions within each other. */
const maxValues = 1_000;
const deepest = 10;

/** Translates a `where` of Hasura's form. @throws {GraphQLError} with the place in it */
export class WhereConditions {
  readonly #kind: IndexLocation["kind"];
  #aliases = 0;

  constructor(kind: IndexLocation["kind"]) {
    this.#kind = kind;
  }

  /** Another name for a table in a query. */
  alias(): string {
    this.#aliases += 1;
    return `t${this.#aliases}`;
  }

  /**
   * @param rows that the condition applies to
   * @param path the condition's place, for errors
   */
  of(rows: AliasedTable, given: Given, path: string, depth = 0): Condition {
    if (depth > deepest) throw new GraphQLError(`${path}: conditions lie in each other more than ${deepest} times.`);
    const all: Condition[] = [];
    for (const [name, value] of Object.entries(given)) {
      const at = `${path}.${name}`;
      if (value === null) throw nullError(at);
      if (name === "_and" || name === "_or") {
        const parts = (value as readonly Given[]).map((one, index) => this.of(rows, one, `${at}[${index}]`, depth + 1));
        all.push(name === "_and" ? joined(parts, "and") : joined(parts, "or"));
      } else if (name === "_not") all.push(sql`not (${this.of(rows, value as Given, at, depth + 1)})`);
      else if (rows.table.relations?.[name] !== undefined)
        all.push(this.#ofRelation(rows, name, (other) => this.of(other, value as Given, at, depth + 1)));
      else all.push(this.#ofColumn(rows, name, value as Given, at));
    }
    return joined(all, "and");
  }

  /** @param within the condition on a related row */
  #ofRelation(rows: AliasedTable, relation: string, within: (other: AliasedTable) => Condition): Condition {
    const { table, column, otherColumn } = rows.table.relations![relation]!;
    const name = this.alias();
    const inner = within({ table: tableNamed(table), alias: name });
    return sql`exists (select 1 from ${sql.table(table)} as ${sql.ref(name)}
      where ${sql.ref(`${name}.${otherColumn}`)} = ${sql.ref(`${rows.alias}.${column}`)} and ${inner})`;
  }

  #ofColumn({ table, alias }: AliasedTable, name: string, given: Given, path: string): Condition {
    const column = table.columns[name]!;
    const all: Condition[] = [];
    for (const [operator, value] of Object.entries(given)) {
      const at = `${path}.${operator}`;
      if (value === null) throw nullError(at);
      if (operator === "_is_null") {
        const ref = sql.ref(`${alias}.${name}`);
        all.push(value === true ? sql`${ref} is null` : sql`${ref} is not null`);
      } else if (column.unitsOf !== undefined)
        all.push(inUnits(sql.ref(`${alias}.${column.unitsOf}`), operator, value, at));
      else if (column.type === "float8") all.push(compared(sql.ref(`${alias}.${name}`), operator, numbers(value), at));
      else if (operator.endsWith("like"))
        all.push(this.#like({ name, column, ref: sql.ref(`${alias}.${name}`) }, operator, value as string));
      else all.push(compared(sql.ref(`${alias}.${name}`), operator, this.#bound(value), at));
    }
    return joined(all, "and");
  }

  #bound(value: unknown): unknown {
    return typeof value === "boolean" && this.#kind === "sqlite" ? (value ? 1n : 0n) : value;
  }

  #like(requested: RequestedColumn, operator: string, text: string): Condition {
    const { name, column, ref } = requested;
    // SQLite cannot be interrupted while it compares one text with one pattern.
    if (text.length > longestPattern)
      throw new GraphQLError(`${name}.${operator} has more than ${longestPattern} characters.`);
    const isNegated = operator === "_nlike" || operator === "_nilike";
    const pattern = { text, isNegated, ignoresCase: operator === "_ilike" || operator === "_nilike" };
    const byDigits = column.isHex === true ? this.#likeDigits(requested, pattern) : undefined;
    if (byDigits !== undefined) return byDigits;
    const like = this.#likeText(ref, pattern);
    return isNegated ? sql`not (${like})` : like;
  }

  /** @returns `undefined` for a pattern of which a column of digits has no faster search */
  #likeDigits({ name, column, ref }: RequestedColumn, { text, isNegated, ignoresCase }: Pattern) {
    // Digits at the beginning are found in the order that the column's index has.
    const first = firstDigits(text, ignoresCase);
    if (first !== undefined) {
      const range = sql<boolean>`(${ref} >= ${first} and ${ref} < ${`${first}${afterDigits}`})`;
      return isNegated ? sql<boolean>`not ${range}` : range;
    }
    // A search within digits, which are small letters, is several times as fast as a pattern.
    const piece = this.#kind === "sqlite" ? pieceOf(text, ignoresCase) : undefined;
    if (piece === undefined) return undefined;
    if (isNegated) return sql<boolean>`instr(${ref}, ${piece}) = 0`;
    if (column.searchedIn === undefined) return sql<boolean>`instr(${ref}, ${piece}) > 0`;
    return sql<boolean>`${ref} in (select s.${sql.ref(name)} from ${sql.table(column.searchedIn)} as s
        where instr(s.${sql.ref(name)}, ${piece}) > 0)`;
  }

  #likeText(ref: RawBuilder<unknown>, { text, ignoresCase }: Pattern): Condition {
    if (this.#kind === "postgres") return sql`${ref} ${sql.raw(ignoresCase ? "ilike" : "like")} ${text}`;
    return ignoresCase ? sql`${ref} like ${text} escape '\\'` : sql`${ref} glob ${globOf(text)}`;
  }
}

/** A table under its name in a query. */
export interface AliasedTable {
  readonly table: IndexTable;
  readonly alias: string;
}

/** A pattern of LIKE, and how it is to match. */
interface Pattern {
  readonly text: string;
  readonly isNegated: boolean;
  readonly ignoresCase: boolean;
}

/** A column in a query. */
interface RequestedColumn {
  readonly name: string;
  readonly column: Column;
  readonly ref: RawBuilder<unknown>;
}

/** The digits of a pattern like `%12ab%`; `undefined` for another one. */
function pieceOf(pattern: string, ignoresCase: boolean): string | undefined {
  const [, digits] = /^%([0-9a-fA-F]+)%$/.exec(pattern) ?? [];
  if (digits === undefined) return undefined;
  return ignoresCase ? digits.toLowerCase() : digits;
}

/** A character that sorts after every digit. */
const afterDigits = "g";

/** The digits of a pattern like `12ab%`; `undefined` for another one. Columns have small letters. */
function firstDigits(pattern: string, ignoresCase: boolean): string | undefined {
  const [, digits] = (ignoresCase ? /^([0-9a-fA-F]+)%$/ : /^([0-9a-f]+)%$/).exec(pattern) ?? [];
  return digits?.toLowerCase();
}

const operators: Readonly<Record<string, string>> = {
  _eq: "=",
  _neq: "<>",
  _gt: ">",
  _gte: ">=",
  _lt: "<",
  _lte: "<=",
};

function compared(ref: RawBuilder<unknown>, operator: string, value: unknown, path: string): Condition {
  if (operator === "_in" || operator === "_nin") {
    const values = value as readonly unknown[];
    if (values.length > maxValues) throw new GraphQLError(`${path} has more than ${maxValues} values.`);
    if (values.length === 0) return operator === "_in" ? never : always;
    return sql`${ref} ${sql.raw(operator === "_in" ? "in" : "not in")} (${sql.join(values)})`;
  }
  return sql`${ref} ${sql.raw(operators[operator]!)} ${value}`;
}

function numbers(value: unknown): unknown {
  return Array.isArray(value) ? value.map(Number) : Number(value);
}

/** Tokens are compared in dust, so that nothing is rounded. */
function inUnits(ref: RawBuilder<unknown>, operator: string, value: unknown, path: string): Condition {
  if (operator === "_in" || operator === "_nin") {
    const exact = (value as readonly string[]).map(dustOf).filter(({ isExact }) => isExact);
    return compared(
      ref,
      operator,
      exact.map(({ dust }) => dust),
      path,
    );
  }
  const { dust, isExact } = dustOf(value as string);
  if (!isExact && operator === "_eq") return never;
  if (!isExact && operator === "_neq") return always;
  // Between this amount of dust and the next: what is at least as much is more.
  if (!isExact && operator === "_gte") return compared(ref, "_gt", dust, path);
  if (!isExact && operator === "_lt") return compared(ref, "_lte", dust, path);
  return compared(ref, operator, dust, path);
}

function joined(conditions: readonly Condition[], by: "and" | "or"): Condition {
  if (conditions.length === 0) return by === "and" ? always : never;
  if (conditions.length === 1) return conditions[0]!;
  return sql`(${sql.join([...conditions], sql.raw(` ${by} `))})`;
}

const longestPattern = 1_000;

/** A pattern of LIKE as one of GLOB, which minds case. */
function globOf(pattern: string): string {
  return pattern.replace(/\\(.)|[%_*?[]/gs, (found, escaped: string | undefined) => {
    if (escaped !== undefined) return /[*?[]/.test(escaped) ? `[${escaped}]` : escaped;
    if (found === "%") return "*";
    return found === "_" ? "?" : `[${found}]`;
  });
}

function nullError(path: string): GraphQLError {
  return new GraphQLError(`${path} must not be null: leave it out, or use _is_null.`);
}

/** A value of an `order_by`. PostgreSQL has nulls at the end that is greatest; so does every database here. */
export function directed(value: RawBuilder<unknown>, direction: string, isNullable: boolean): RawBuilder<unknown> {
  const isDescending = direction.startsWith("desc");
  const way = sql.raw(isDescending ? "desc" : "asc");
  if (direction.endsWith("_nulls_first")) return sql`${value} ${way} nulls first`;
  if (direction.endsWith("_nulls_last")) return sql`${value} ${way} nulls last`;
  if (!isNullable) return sql`${value} ${way}`;
  return sql`${value} ${way} ${sql.raw(isDescending ? "nulls first" : "nulls last")}`;
}
