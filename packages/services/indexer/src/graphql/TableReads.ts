import { GraphQLError, type GraphQLField, type GraphQLObjectType, getArgumentValues } from "graphql";
import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { IndexReader, ReadRow } from "../database/IndexReader.js";
import type { ReadBudget } from "../database/ReadBudget.js";
import type { IndexTable, Relation } from "../schema/IndexTable.js";
import { tableNamed } from "../schema/tables.js";
import { columnAggregate } from "./columnAggregate.js";
import { type AliasedTable, directed, WhereConditions } from "./conditions.js";
import { fieldsBelow, type RequestParts, type SelectedField } from "./Selection.js";
import { shown } from "./scalars.js";
import { type RootField, summaryField } from "./schemaOf.js";
import { tableFunctions } from "./tableFunctions.js";

/** Rows of a list without a limit, and of any list. */
const maxListed = 5_000;

/** The arguments of a list. */
interface ListArguments {
  readonly where?: Readonly<Record<string, unknown>> | null;
  readonly order_by?: readonly Readonly<Record<string, unknown>>[] | null;
  readonly limit?: number | null;
  readonly offset?: number | null;
  readonly distinct_on?: readonly string[] | null;
  readonly args?: Readonly<Record<string, unknown>> | null;
}

/** An answer's object, by the names that its fields have there. */
export type GraphqlRow = Record<string, unknown>;

/** @returns an object without a prototype, since a request may name a field `__proto__` */
function emptyObject(): GraphqlRow {
  return Object.create(null) as GraphqlRow;
}

/** Where rows of a list come from. */
interface RowsOf {
  readonly table: IndexTable;
  readonly from: RawBuilder<unknown>;
  /** Whether these are all rows of the table. */
  readonly isWhole?: boolean;
  /** Rows of these parents only, each parent with rows of its own. */
  readonly parents?: { readonly column: string; readonly keys: readonly unknown[] };
}

/** The request for a list, or for the sums of its rows. */
interface ListRequest {
  readonly rowsOf: RowsOf;
  readonly given: ListArguments;
  /** Its place in the query, for errors. */
  readonly path: string;
}

/** A row of an answer, with the parent that it is of. */
interface AnswerRow {
  readonly parent: unknown;
  readonly object: GraphqlRow;
}

/** The column that identifies the parent of a row. */
const parentColumn = "of_parent";
const placeColumn = "place_in_list";

/** Reads the data of one request: a query for each list, for any number of parents. */
export class TableReads {
  readonly #reader: IndexReader;
  readonly #budget: ReadBudget;
  readonly #parts: RequestParts;

  constructor(reader: IndexReader, budget: ReadBudget, parts: RequestParts) {
    this.#reader = reader;
    this.#budget = budget;
    this.#parts = parts;
  }

  /** Returns the answer of a root field. @throws {GraphQLError} {IndexQueryError} */
  async root(field: SelectedField, { table, kind, functionName }: RootField, given: ListArguments): Promise<unknown> {
    if (kind === "byKey") return this.#byKey(field, table, given as Readonly<Record<string, unknown>>);
    const made = tableFunctions.find(({ name }) => name === functionName)?.query(this.#reader.kind, given.args ?? {});
    const from = made === undefined ? sql.table(table.name) : sql`(${made})`;
    const request = { rowsOf: { table, from, isWhole: made === undefined }, given, path: field.name };
    return kind === "list" ? this.#list(field, request) : this.#aggregate(field, request);
  }

  async #byKey(
    field: SelectedField,
    table: IndexTable,
    key: Readonly<Record<string, unknown>>,
  ): Promise<GraphqlRow | null> {
    const where = Object.fromEntries(Object.entries(key).map(([column, value]) => [column, { _eq: value }]));
    const rowsOf = { table, from: sql.table(table.name) };
    const [found] = await this.#list(field, { rowsOf, given: { where, limit: 1 }, path: field.name });
    return found ?? null;
  }

  async #list(field: SelectedField, request: ListRequest): Promise<GraphqlRow[]> {
    const rows = await this.#rows(field, request);
    return rows.map(({ object }) => object);
  }

  /** Rows, each with the parent that it is of, with everything below them. */
  async #rows(field: SelectedField, request: ListRequest): Promise<AnswerRow[]> {
    const { table } = request.rowsOf;
    const fields = fieldsBelow(field.nodes, this.#parts).filter(({ name }) => name !== "__typename");
    const columns = new Set(fields.flatMap(({ name }) => columnsOf(table, name)));
    const rows = await this.#select(request, [...columns]);
    const made = rows.map((row) => ({ parent: row[parentColumn], object: emptyObject(), row }));
    for (const one of fields) {
      const found = relationOf(table, one.name);
      if (isSummary(table, one.name)) await this.#summarize(one, made);
      else if (found === undefined) for (const { object, row } of made) object[one.key] = shown(row, one.name, table);
      else {
        const given = this.#argumentsOf(one, table);
        const related = await this.#related(one, found, made, { given, path: `${request.path}.${one.key}` });
        for (const { object, row } of made) object[one.key] = related(row[found.relation.column]);
      }
    }
    return made;
  }

  async #summarize(
    { key }: SelectedField,
    deploys: readonly { readonly object: GraphqlRow; readonly row: ReadRow }[],
  ): Promise<void> {
    if (deploys.length === 0) return;
    const ids = deploys.map(({ row }) => row["deploy_id"]);
    const query = sql`select deploy_id, from_address, to_address, amount_dust, status, fail_reason
      from transfers where deploy_id in (${sql.join(ids)}) order by id`;
    const transfers = await this.#reader.rows(this.#compiled(query), this.#budget);
    // It brings the grammars of both dialects, which few requests need.
    const { summariesOf } = await import("./deploySummaries.js");
    const made = summariesOf(
      deploys.map(({ row }) => row),
      transfers,
      { since: await this.knownSince(), budget: this.#budget },
    );
    for (const [index, { object }] of deploys.entries()) object[key] = made[index];
  }

  /** @returns the content of a related field, by the value of the parent's column */
  async #related(
    field: SelectedField,
    { relation, isAggregate }: FoundRelation,
    parents: readonly { readonly row: ReadRow }[],
    asked: Pick<ListRequest, "given" | "path">,
  ): Promise<(key: unknown) => unknown> {
    const table = tableNamed(relation.table);
    const keys = [...new Set(parents.map(({ row }) => row[relation.column]))].filter((key) => key !== null);
    const rowsOf = { table, from: sql.table(table.name) };
    const requestOf = (some: readonly unknown[]): ListRequest => {
      return { rowsOf: { ...rowsOf, parents: { column: relation.otherColumn, keys: some } }, ...asked };
    };
    if (isAggregate) {
      // Each parent has sums of its own.
      const sums = new Map<unknown, unknown>();
      for (const key of keys) sums.set(key, await this.#aggregate(field, requestOf([key])));
      return (key) => sums.get(key) ?? null;
    }
    const byParent = byParentOf(keys.length === 0 ? [] : await this.#rows(field, requestOf(keys)));
    return relation.kind === "array" ? (key) => byParent.get(key) ?? [] : (key) => byParent.get(key)?.[0] ?? null;
  }

  /** Height from which the tables have all of the chain. */
  knownSince: () => Promise<bigint> = async () => 0n;

  /** The schema's types, for the arguments of fields below the root. */
  typeOf: (table: string) => GraphQLObjectType | undefined = () => undefined;

  #argumentsOf({ name, nodes }: SelectedField, table: IndexTable): ListArguments {
    const definition = this.typeOf(table.name)?.getFields()[name] as GraphQLField<unknown, unknown>;
    return getArgumentValues(definition, nodes[0]!, this.#parts.variables) as ListArguments;
  }

  async #select(request: ListRequest, columns: readonly string[]): Promise<ReadRow[]> {
    const { rowsOf, given, path } = request;
    const { parents } = rowsOf;
    const conditions = new WhereConditions(this.#reader.kind);
    const alias = conditions.alias();
    const { where, orders } = this.#listed(request, alias, conditions);
    const chosen = columns.map((column) => sql.ref(`${alias}.${column}`));
    if (parents !== undefined) chosen.push(sql`${sql.ref(`${alias}.${parents.column}`)} as ${sql.ref(parentColumn)}`);
    if (chosen.length === 0) chosen.push(sql`1 as ${sql.ref(placeColumn)}`);
    const { limit, offset } = this.#span(given, path);
    const order = orders.length === 0 ? sql`` : sql`order by ${sql.join(orders)}`;
    const isShared = parents !== undefined && (parents.keys.length > 1 || hasSpan(given));
    const partition = given.distinct_on ?? [];
    let query: RawBuilder<unknown>;
    if (isShared && hasSpan(given)) {
      const inner = sql`select ${sql.join(chosen)}, row_number() over (partition by
        ${sql.ref(`${alias}.${parents.column}`)} ${order}) as ${sql.ref(placeColumn)}
        from ${rowsOf.from} as ${sql.ref(alias)} where ${where}`;
      query = sql`select * from (${inner}) as ranked where ${sql.ref(placeColumn)} > ${BigInt(offset)}
        and ${sql.ref(placeColumn)} <= ${BigInt(offset + limit)} order by ${sql.ref(placeColumn)}`;
    } else if (partition.length > 0) {
      const keys = partition.map((column) => sql.ref(`${alias}.${column}`));
      const inner = sql`select ${sql.join(chosen)}, row_number() over (partition by ${sql.join(keys)} ${order})
        as ${sql.ref(placeColumn)}, row_number() over (${order}) as ordinal
        from ${rowsOf.from} as ${sql.ref(alias)} where ${where}`;
      query = sql`select * from (${inner}) as ranked where ${sql.ref(placeColumn)} = 1 order by ordinal
        limit ${BigInt(limit)} offset ${BigInt(offset)}`;
    } else {
      const span = parents === undefined ? sql`limit ${BigInt(limit)} offset ${BigInt(offset)}` : sql``;
      query = sql`select ${sql.join(chosen)} from ${rowsOf.from} as ${sql.ref(alias)} where ${where} ${order} ${span}`;
    }
    return this.#reader.rows(this.#compiled(query), this.#budget);
  }

  #listed({ rowsOf: { table, parents }, given, path }: ListRequest, alias: string, conditions: WhereConditions) {
    const { where: asked, order_by: orderBy } = given;
    const own = asked === undefined || asked === null ? [] : [conditions.of({ table, alias }, asked, `${path}.where`)];
    if (parents !== undefined)
      own.push(sql<boolean>`${sql.ref(`${alias}.${parents.column}`)} in (${sql.join([...parents.keys])})`);
    const where = own.length === 0 ? sql`1 = 1` : sql.join(own, sql` and `);
    const orders = (orderBy ?? []).flatMap((order) => this.#orders(table, alias, order, path));
    return { where, orders };
  }

  #orders(
    table: IndexTable,
    alias: string,
    order: Readonly<Record<string, unknown>>,
    path: string,
  ): RawBuilder<unknown>[] {
    return Object.entries(order).flatMap(([name, direction]) => {
      if (direction === null) return [];
      const relation = table.relations?.[name];
      if (relation === undefined) {
        const { unitsOf, isNullable } = table.columns[name]!;
        return [directed(sql.ref(`${alias}.${unitsOf ?? name}`), direction as string, isNullable === true)];
      }
      const nested = Object.entries(direction as Readonly<Record<string, unknown>>);
      return nested.map(([column, way]) => {
        if (typeof way !== "string") throw new GraphQLError(`${path}.order_by.${name}.${column} lies too deep.`);
        const other = tableNamed(relation.table);
        const value = sql`(select o.${sql.ref(other.columns[column]?.unitsOf ?? column)} from
          ${sql.table(other.name)} as o where o.${sql.ref(relation.otherColumn)} =
          ${sql.ref(`${alias}.${relation.column}`)} limit 1)`;
        return directed(value, way, true);
      });
    });
  }

  #span({ limit, offset }: ListArguments, path: string): { readonly limit: number; readonly offset: number } {
    if (typeof limit === "number" && limit < 0) throw new GraphQLError(`${path}.limit must not be negative.`);
    if (typeof offset === "number" && offset < 0) throw new GraphQLError(`${path}.offset must not be negative.`);
    return { limit: Math.min(limit ?? maxListed, maxListed), offset: offset ?? 0 };
  }

  async #aggregate(field: SelectedField, request: ListRequest): Promise<GraphqlRow> {
    const object = emptyObject();
    for (const part of fieldsBelow(field.nodes, this.#parts)) {
      const { key, name } = part;
      if (name === "nodes") object[key] = await this.#list(part, { ...request, path: `${request.path}.nodes` });
      else if (name === "aggregate") object[key] = await this.#sums(part, request);
    }
    return object;
  }

  async #sums(field: SelectedField, request: ListRequest): Promise<GraphqlRow> {
    const { rowsOf, given } = request;
    const { table } = rowsOf;
    const conditions = new WhereConditions(this.#reader.kind);
    const alias = conditions.alias();
    const { where, orders } = this.#listed(request, alias, conditions);
    if (isOfAll(rowsOf, given) && isBareCount(field, this.#parts)) return this.#countAll(field, table);
    const object = emptyObject();
    const values = new ComputedValues();
    for (const part of fieldsBelow(field.nodes, this.#parts)) {
      if (part.name === "count")
        values.add([this.#count(part, alias, table)], ([answer]) => (object[part.key] = Number(answer)));
      else if (part.name !== "__typename") object[part.key] = this.#columnSums(part, { table, alias }, values);
    }
    if (values.chosen.length === 0) return object;
    const source = this.#sourceOfSums(request, alias, { where, orders });
    const query = sql`select ${sql.join([...values.chosen])} from ${source}`;
    const [row] = await this.#reader.rows(this.#compiled(query), this.#budget);
    values.keep(row ?? {});
    return object;
  }

  /** The number of all rows, which the table knows. */
  async #countAll(field: SelectedField, table: IndexTable): Promise<GraphqlRow> {
    const counted = sql`select (${sql.raw(table.counted!)}) as ${sql.ref("number")}`;
    const [row] = await this.#reader.rows(this.#compiled(counted), this.#budget);
    const counts = fieldsBelow(field.nodes, this.#parts).filter(({ name }) => name === "count");
    return Object.fromEntries(counts.map(({ key }) => [key, Number(row?.["number"])]));
  }

  /** @returns an object that gets the aggregates of columns, `sum` or another, once the query has answered */
  #columnSums(part: SelectedField, { table, alias }: AliasedTable, values: ComputedValues): GraphqlRow {
    const object = emptyObject();
    for (const { key, name } of fieldsBelow(part.nodes, this.#parts)) {
      const column = table.columns[name];
      if (column === undefined) continue;
      const ref = sql.ref(`${alias}.${column.unitsOf ?? name}`);
      const aggregate = columnAggregate(this.#reader.kind, part.name, column, ref);
      values.add(aggregate.computed, (answers) => (object[key] = aggregate.shown(answers)));
    }
    return object;
  }

  #sourceOfSums(
    { rowsOf, given, path }: ListRequest,
    alias: string,
    { where, orders }: ListedRows,
  ): RawBuilder<unknown> {
    const isDistinct = (given.distinct_on ?? []).length > 0;
    if (isDistinct)
      throw new GraphQLError(`${path}: distinct_on is not possible here; use count(columns: …, distinct: true).`);
    const { limit, offset } = this.#span(given, path);
    if (!hasSpan(given)) return sql`${rowsOf.from} as ${sql.ref(alias)} where ${where}`;
    const order = orders.length === 0 ? sql`` : sql`order by ${sql.join([...orders])}`;
    return sql`(select * from ${rowsOf.from} as ${sql.ref(alias)} where ${where} ${order}
          limit ${BigInt(limit)} offset ${BigInt(offset)}) as ${sql.ref(alias)}`;
  }

  #count({ nodes }: SelectedField, alias: string, table: IndexTable): RawBuilder<unknown> {
    const fields = this.typeOf(`${table.name}_aggregate_fields`)?.getFields()?.["count"] as GraphQLField<
      unknown,
      unknown
    >;
    const { columns, distinct } = getArgumentValues(fields, nodes[0]!, this.#parts.variables) as {
      columns?: readonly string[];
      distinct?: boolean;
    };
    if (columns === undefined || columns === null || columns.length === 0) return sql`count(*)`;
    const refs = columns.map((column) => sql.ref(`${alias}.${column}`));
    const value = refs.length === 1 ? refs[0]! : sql.join(refs, sql` || ' ' || `);
    return distinct === true ? sql`count(distinct ${value})` : sql`count(${value})`;
  }

  #compiled(query: RawBuilder<unknown>): CompiledQuery {
    return query.compile(this.#reader.builder);
  }
}

/** Which rows are meant, and their order. */
interface ListedRows {
  readonly where: RawBuilder<unknown>;
  readonly orders: readonly RawBuilder<unknown>[];
}

/** Values that one query computes, each with what its answer is for. */
class ComputedValues {
  readonly chosen: RawBuilder<unknown>[] = [];
  readonly #keepers: ((row: ReadRow) => void)[] = [];

  add(values: readonly RawBuilder<unknown>[], keep: (answers: readonly unknown[]) => void): void {
    const names = values.map((_value, index) => `a${this.chosen.length + index}`);
    this.chosen.push(...values.map((value, index) => sql`${value} as ${sql.ref(names[index]!)}`));
    this.#keepers.push((row) => keep(names.map((name) => row[name])));
  }

  keep(row: ReadRow): void {
    for (const keeper of this.#keepers) keeper(row);
  }
}

function byParentOf(rows: readonly AnswerRow[]): ReadonlyMap<unknown, readonly GraphqlRow[]> {
  const byParent = new Map<unknown, GraphqlRow[]>();
  for (const { parent, object } of rows) {
    const known = byParent.get(parent);
    if (known === undefined) byParent.set(parent, [object]);
    else known.push(object);
  }
  return byParent;
}

/** Whether the number of all rows of a table is requested, which the table may know sooner. */
function isOfAll({ table, isWhole, parents }: RowsOf, given: ListArguments): boolean {
  const { where, distinct_on: distinct } = given;
  const isChosen = Object.keys(where ?? {}).length > 0 || (distinct ?? []).length > 0 || hasSpan(given);
  return table.counted !== undefined && isWhole === true && parents === undefined && !isChosen;
}

/** Whether only the number of rows is requested: not of columns, nor of different values. */
function isBareCount({ nodes }: SelectedField, parts: RequestParts): boolean {
  return fieldsBelow(nodes, parts).every(
    ({ name, nodes: own }) =>
      name === "__typename" || (name === "count" && own.every((node) => (node.arguments ?? []).length === 0)),
  );
}

/** The columns that a field of a row needs. */
function columnsOf(table: IndexTable, name: string): readonly string[] {
  if (isSummary(table, name)) return summaryField.columns;
  return [relationOf(table, name)?.relation.column ?? table.columns[name]?.unitsOf ?? name];
}

function isSummary({ name }: IndexTable, field: string): boolean {
  return name === summaryField.table && field === summaryField.name;
}

function hasSpan({ limit, offset }: ListArguments): boolean {
  return typeof limit === "number" || typeof offset === "number";
}

interface FoundRelation {
  readonly relation: Relation;
  readonly isAggregate: boolean;
}

function relationOf({ relations = {} }: IndexTable, name: string): FoundRelation | undefined {
  if (relations[name] !== undefined) return { relation: relations[name], isAggregate: false };
  const relation = name.endsWith("_aggregate") ? relations[name.slice(0, -"_aggregate".length)] : undefined;
  return relation?.kind === "array" ? { relation, isAggregate: true } : undefined;
}
