import { madeHash } from "@vedette/indexer/testing";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must } from "../driver/Target.js";
import { madeIndex } from "../model/madeIndex.js";
import { type PlainCell, type PlainCondition, type PlainRow, PlainRows } from "../model/PlainRows.js";

/** How a column is compared, and what it is compared with. */
interface ComparedColumn {
  /** Reads a cell of GraphQL's answer, or a value in a condition. */
  readonly read: (value: unknown) => PlainCell;
  readonly values: fc.Arbitrary<unknown>;
  readonly isText?: boolean;
}

const whole = (value: unknown): bigint => BigInt(value as string | number);
/** Tokens in dust's hundredths, so that amounts between two units of dust differ. */
const amount = (value: unknown): bigint => {
  const [units = "0", digits = ""] = String(value).split(".");
  return BigInt(`${units}${digits.padEnd(10, "0").slice(0, 10)}`);
};
const asIs = (value: unknown): PlainCell => value as PlainCell;
const real = (value: unknown): number | null => (value === null ? null : Number(value));

const known = madeHash("block b2").slice(0, 3);
const digits = fc.constantFrom("", "0", "00", "4", "a", "bf", "Ab", "c0de", known, known.toUpperCase());
const patterns = fc.oneof(
  fc.tuple(fc.constantFrom("", "%"), digits, fc.constantFrom("", "%", "_%")).map((parts) => parts.join("")),
  fc.constantFrom("%", "_", "\\%", "\\_%", "%[a]%", "%*%", "?%", "final%", "FINAL%", "%ed", "b_om", "boom", "%\\o%"),
);
const small = fc.oneof(fc.integer({ min: -1, max: 11 }), fc.constantFrom("3", "-0", "9223372036854775807"));
const words = fc.constantFrom("", "finalized", "pending", "included", "failed", "boom", "a");

const text: ComparedColumn = { read: asIs, values: fc.oneof(words, patterns), isText: true };
const number: ComparedColumn = { read: whole, values: small };
const int: ComparedColumn = { read: whole, values: fc.integer({ min: -1, max: 11 }) };
const truth: ComparedColumn = { read: asIs, values: fc.boolean() };
const share: ComparedColumn = { read: real, values: fc.constantFrom("-1", "0.5", 0, "0.9", 1) };
const tokens: ComparedColumn = {
  read: amount,
  values: fc.constantFrom("0", "4.5", "4.50000000", "4.500000001", 9, "9.00000001", "13.49999999", "13.5", "-1"),
};

type Columns = Readonly<Record<string, ComparedColumn>>;

/** The columns of `blocks`, and of the tables with rows that belong to one. */
const blocks: Columns = {
  ...{ block_number: number, seq_num: int, deployment_count: int, phlo_cost: number },
  ...{ block_hash: text, proposer: text, parent_hash: text, fate: text, finalization_status: text },
  fault_tolerance: share,
};
const related: Readonly<Record<string, Columns>> = {
  deployments: { phlo_cost: number, errored: truth, error_message: text, deploy_id: text, fate: text },
  transfers: { amount_asi: tokens, amount_dust: number },
};
const columnsOf: Columns = { ...Object.assign({}, ...Object.values(related)), ...blocks };

function anyComparison({ values, isText = false }: ComparedColumn): fc.Arbitrary<PlainCondition> {
  const compared = fc.record({ by: fc.constantFrom("_eq", "_neq", "_gt", "_gte", "_lt", "_lte"), value: values });
  const listed = fc.record({ by: fc.constantFrom("_in", "_nin"), value: fc.array(values, { maxLength: 3 }) });
  const empty = fc.record({ by: fc.constant("_is_null"), value: fc.boolean() });
  const alike = fc.record({ by: fc.constantFrom("_like", "_nlike", "_ilike", "_nilike"), value: patterns });
  const one = isText ? fc.oneof(alike, compared, listed, empty) : fc.oneof(compared, listed, empty);
  return fc.array(one, { maxLength: 2 }).map((all) => Object.fromEntries(all.map(({ by, value }) => [by, value])));
}

function anyOfColumns(columns: Columns): fc.Arbitrary<PlainCondition> {
  return fc.oneof(
    ...Object.entries(columns).map(([name, column]) => anyComparison(column).map((given) => ({ [name]: given }))),
  );
}

const anyCondition: fc.Arbitrary<PlainCondition> = fc.letrec<{ where: PlainCondition }>((tie) => ({
  where: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    anyOfColumns(blocks),
    ...Object.entries(related).map(([name, columns]) => anyOfColumns(columns).map((given) => ({ [name]: given }))),
    fc.array(tie("where"), { maxLength: 3 }).map((parts) => ({ _and: parts })),
    fc.array(tie("where"), { maxLength: 3 }).map((parts) => ({ _or: parts })),
    tie("where").map((part) => ({ _not: part })),
    fc.tuple(tie("where"), anyOfColumns(blocks)).map(([one, other]) => ({ ...one, ...other })),
  ),
})).where;

const model = new PlainRows((column, value) => columnsOf[column]!.read(value));
let rows: Promise<readonly PlainRow[]> | undefined;

export const graphqlConditions = propertyTarget({
  name: "graphql-conditions",
  about: "a list finds the rows that a plain model of its condition finds, and an aggregate counts as many",
  cost: "expensive",
  files: ["indexer/graphql/"],
  values: anyCondition,
  check: async (where) => {
    rows ??= allRows();
    const { blocks: found, blocks_aggregate: counted } = await asked(
      `query ($where: blocks_bool_exp) {
        blocks(where: $where, order_by: [{block_number: asc}]) { block_number }
        blocks_aggregate(where: $where) { aggregate { count } }
      }`,
      { where },
    );
    const expected = model.where(await rows, where).map((row) => String(row["block_number"]));
    const numbers = found.map((row: GraphqlRow) => String(row["block_number"]));
    must(numbers.join() === expected.join(), () => `blocks ${numbers.join()} instead of ${expected.join()}`);
    must(Number(counted.aggregate.count) === expected.length, () => `${counted.aggregate.count} are counted`);
  },
});

type GraphqlRow = Readonly<Record<string, unknown>>;

/** Everything that conditions can be about. */
async function allRows(): Promise<readonly PlainRow[]> {
  const others = Object.entries(related).map(([name, columns]) => `${name} { ${Object.keys(columns).join(" ")} }`);
  const fields = [...Object.keys(blocks), ...others].join(" ");
  const { blocks: rows } = await asked(`{ blocks(order_by: [{block_number: asc}]) { ${fields} } }`, {});
  return rows.map((row: GraphqlRow) => ({
    ...plain(row, blocks),
    ...Object.fromEntries(
      Object.entries(related).map(([name, columns]) => [
        name,
        (row[name] as readonly GraphqlRow[]).map((one) => plain(one, columns)),
      ]),
    ),
  }));
}

function plain(row: GraphqlRow, columns: Columns): PlainRow {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { read }]) => [name, row[name] === null ? null : read(row[name])]),
  );
}

// biome-ignore lint/suspicious/noExplicitAny: looked into as a client does.
async function asked(query: string, variables: Record<string, unknown>): Promise<any> {
  const { index } = await madeIndex();
  const { body } = await index.answer({ query, variables });
  const { data, errors } = JSON.parse(JSON.stringify(body));
  must(errors === undefined, () => `it is refused: ${JSON.stringify(errors)}`);
  return data;
}
