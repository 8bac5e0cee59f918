import {
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLFloat,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
} from "graphql";
import type { Column, IndexTable } from "../schema/IndexTable.js";
import { openTables } from "../schema/tables.js";
import { bigintScalar, jsonbScalar, numericScalar, timestampScalar, timestamptzScalar } from "./scalars.js";
import { tableFunctions } from "./tableFunctions.js";

const scalars: { readonly [K in Column["type"]]: GraphQLScalarType } = {
  String: GraphQLString,
  Int: GraphQLInt,
  bigint: bigintScalar,
  numeric: numericScalar,
  float8: numericScalar,
  Boolean: GraphQLBoolean,
  jsonb: jsonbScalar,
  timestamp: timestampScalar,
  timestamptz: timestamptzScalar,
};
const numbers: ReadonlySet<Column["type"]> = new Set(["Int", "bigint", "numeric", "float8"]);

const orderBy = new GraphQLEnumType({
  name: "order_by",
  values: Object.fromEntries(
    ["asc", "asc_nulls_first", "asc_nulls_last", "desc", "desc_nulls_first", "desc_nulls_last"].map((name) => [
      name,
      { value: name },
    ]),
  ),
});

const comparisons = new Map<string, GraphQLInputObjectType>();

/** Returns the comparisons of a value; the names are Hasura's. */
function comparisonOf(scalar: GraphQLScalarType): GraphQLInputObjectType {
  const known = comparisons.get(scalar.name);
  if (known !== undefined) return known;
  const one = { type: scalar };
  const many = { type: new GraphQLList(new GraphQLNonNull(scalar)) };
  const fields: GraphQLInputFieldConfigMap = { _is_null: { type: GraphQLBoolean } };
  if (scalar !== jsonbScalar)
    Object.assign(fields, { _eq: one, _neq: one, _gt: one, _gte: one, _lt: one, _lte: one, _in: many, _nin: many });
  if (scalar === GraphQLString) Object.assign(fields, { _like: one, _nlike: one, _ilike: one, _nilike: one });
  const made = new GraphQLInputObjectType({ name: `${scalar.name}_comparison_exp`, fields });
  comparisons.set(scalar.name, made);
  return made;
}

/** The types of one table. */
interface TableTypes {
  readonly row: GraphQLObjectType;
  readonly condition: GraphQLInputObjectType;
  readonly order: GraphQLInputObjectType;
  readonly columns: GraphQLEnumType;
  readonly aggregate: GraphQLObjectType;
}

function typesOf(table: IndexTable, all: ReadonlyMap<string, TableTypes>): TableTypes {
  const { name, columns, relations = {}, doc } = table;
  const others = Object.entries(relations);
  const condition: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${name}_bool_exp`,
    fields: () => ({
      _and: { type: new GraphQLList(new GraphQLNonNull(condition)) },
      _or: { type: new GraphQLList(new GraphQLNonNull(condition)) },
      _not: { type: condition },
      ...mapped(columns, ({ type }) => ({ type: comparisonOf(scalars[type]) })),
      ...Object.fromEntries(
        others.map(([relation, { table: other }]) => [relation, { type: all.get(other)!.condition }]),
      ),
    }),
  });
  const order: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${name}_order_by`,
    fields: () => ({
      ...mapped(columns, () => ({ type: orderBy })),
      ...Object.fromEntries(
        others
          .filter(([, { kind }]) => kind === "object")
          .map(([relation, { table: other }]) => [relation, { type: all.get(other)!.order }]),
      ),
    }),
  });
  const row = new GraphQLObjectType({
    name,
    description: doc,
    fields: () => ({
      ...mapped(columns, ({ type, doc: description, isNullable }) => ({
        type: isNullable === true ? scalars[type] : new GraphQLNonNull(scalars[type]),
        description,
      })),
      ...(name === summaryField.table && { [summaryField.name]: { type: jsonbScalar, description: summaryField.doc } }),
      ...relationFields(others, all),
    }),
  });
  const columnNames = new GraphQLEnumType({
    name: `${name}_select_column`,
    values: mapped(columns, (_column, column) => ({ value: column })),
  });
  return { row, condition, order, columns: columnNames, aggregate: aggregateOf(table, row, columnNames) };
}

function relationFields(
  others: readonly [string, NonNullable<IndexTable["relations"]>[string]][],
  all: ReadonlyMap<string, TableTypes>,
): GraphQLFieldConfigMap<unknown, unknown> {
  const fields: GraphQLFieldConfigMap<unknown, unknown> = {};
  for (const [relation, { kind, table }] of others) {
    const other = all.get(table)!;
    if (kind === "object") fields[relation] = { type: other.row };
    else {
      fields[relation] = { type: listOf(other.row), args: listArguments(other) };
      fields[`${relation}_aggregate`] = { type: new GraphQLNonNull(other.aggregate), args: listArguments(other) };
    }
  }
  return fields;
}

function aggregateOf(
  { name, columns }: IndexTable,
  row: GraphQLObjectType,
  columnNames: GraphQLEnumType,
): GraphQLObjectType {
  const numeric = Object.entries(columns).filter(([, { type }]) => numbers.has(type));
  const ordered = Object.entries(columns).filter(([, { type }]) => type !== "jsonb" && type !== "Boolean");
  const part = (
    kind: string,
    chosen: readonly [string, Column][],
    typeOf: (type: Column["type"]) => GraphQLScalarType,
  ) =>
    chosen.length === 0
      ? {}
      : {
          [kind]: {
            type: new GraphQLObjectType({
              name: `${name}_${kind}_fields`,
              fields: Object.fromEntries(chosen.map(([column, { type }]) => [column, { type: typeOf(type) }])),
            }),
          },
        };
  const fields = new GraphQLObjectType({
    name: `${name}_aggregate_fields`,
    fields: {
      count: {
        type: new GraphQLNonNull(GraphQLInt),
        args: {
          columns: { type: new GraphQLList(new GraphQLNonNull(columnNames)) },
          distinct: { type: GraphQLBoolean },
        },
      },
      // Many small integers may be a large one.
      ...part("sum", numeric, (type) => (type === "Int" ? bigintScalar : scalars[type])),
      ...part("avg", numeric, () => GraphQLFloat),
      ...part("min", ordered, (type) => scalars[type]),
      ...part("max", ordered, (type) => scalars[type]),
    },
  });
  return new GraphQLObjectType({
    name: `${name}_aggregate`,
    fields: { aggregate: { type: fields }, nodes: { type: listOf(row) } },
  });
}

function listArguments({ condition, order, columns }: TableTypes): GraphQLFieldConfigArgumentMap {
  return {
    distinct_on: { type: new GraphQLList(new GraphQLNonNull(columns)) },
    limit: { type: GraphQLInt },
    offset: { type: GraphQLInt },
    order_by: { type: new GraphQLList(new GraphQLNonNull(order)) },
    where: { type: condition },
  };
}

function listOf(type: GraphQLOutputType): GraphQLOutputType {
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));
}

function mapped<T>(columns: IndexTable["columns"], map: (column: Column, name: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, map(column, name)]));
}

/** Every field of the root, with its table and the kind of request. */
export interface RootField {
  readonly table: IndexTable;
  readonly kind: "list" | "aggregate" | "byKey";
  /** A function that supplies the rows instead of the table. */
  readonly functionName?: string;
}

/** The schema, and what its root fields mean. @spec 60 §4 */
export interface IndexSchema {
  readonly schema: GraphQLSchema;
  readonly roots: ReadonlyMap<string, RootField>;
}

/** Makes the schema from the tables. */
export function schemaOf(): IndexSchema {
  const all = new Map<string, TableTypes>();
  for (const table of openTables) all.set(table.name, typesOf(table, all));
  const roots = new Map<string, RootField>();
  const fields: GraphQLFieldConfigMap<unknown, unknown> = {};
  for (const table of openTables) {
    const { name, columns, primaryKey, doc } = table;
    const types = all.get(name)!;
    roots.set(name, { table, kind: "list" });
    fields[name] = { type: listOf(types.row), args: listArguments(types), description: doc };
    roots.set(`${name}_aggregate`, { table, kind: "aggregate" });
    fields[`${name}_aggregate`] = { type: new GraphQLNonNull(types.aggregate), args: listArguments(types) };
    if (primaryKey.length === 0) continue;
    roots.set(`${name}_by_pk`, { table, kind: "byKey" });
    fields[`${name}_by_pk`] = {
      type: types.row,
      args: Object.fromEntries(
        primaryKey.map((key) => [key, { type: new GraphQLNonNull(scalars[columns[key]!.type]) }]),
      ),
    };
  }
  for (const { name, rows, parameters, doc } of tableFunctions) {
    const table = openTables.find((one) => one.name === rows)!;
    const types = all.get(rows)!;
    const given = new GraphQLInputObjectType({
      name: `${name}_args`,
      fields: Object.fromEntries(
        Object.entries(parameters).map(([parameter, { type }]) => [parameter, { type: scalars[type] }]),
      ),
    });
    roots.set(name, { table, kind: "list", functionName: name });
    fields[name] = {
      type: listOf(types.row),
      description: doc,
      args: { args: { type: given }, ...listArguments(types) },
    };
  }
  const root = (name: string) => new GraphQLObjectType({ name, fields });
  return { schema: new GraphQLSchema({ query: root("query_root"), subscription: root("subscription_root") }), roots };
}

/** A field of rows that is computed from columns when a request has it. */
export const summaryField = {
  table: "deployments",
  name: "summary",
  doc: "What the deploy did, as `summary` of `/v2/deploy/{id}`. Null where the request has read more than 64 Ki characters of programs already.",
  columns: ["deploy_id", "block_number", "term", "errored", "error_message", "fate"],
} as const;
