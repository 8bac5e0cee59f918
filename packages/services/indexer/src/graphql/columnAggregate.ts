import { type RawBuilder, sql } from "kysely";
import type { IndexLocation } from "../database/openDatabase.js";
import { type Column, unitsInToken } from "../schema/IndexTable.js";
import { shownValue, tokensText } from "./scalars.js";

/**
 * The aggregate of one column over all rows: the values that the database computes, and the answer that follows from
 * them.
 */
export interface ColumnAggregate {
  readonly computed: readonly RawBuilder<unknown>[];
  readonly shown: (results: readonly unknown[]) => unknown;
}

/**
 * A sum, an average, a least or a greatest. Sums of integers are exact, whatever their size.
 *
 * @param name `sum`, `avg`, `min` or `max`
 * @param ref  the column, of an amount in tokens the one that has it in the smallest unit
 * @spec 60 §4
 */
export function columnAggregate(
  kind: IndexLocation["kind"],
  name: string,
  column: Column,
  ref: RawBuilder<unknown>,
): ColumnAggregate {
  const { unitsOf, type } = column;
  if (name === "avg") {
    const double = sql.raw(kind === "sqlite" ? "real" : "float8");
    const scale = unitsOf === undefined ? 1 : Number(unitsInToken);
    return whereSome([sql`cast(avg(${ref}) as ${double})`], ([average]) => Number(average) / scale);
  }
  const isInteger = unitsOf !== undefined || type === "Int" || type === "bigint";
  const ofUnits = (units: bigint) => (unitsOf === undefined ? units : tokensText(units));
  if (name === "sum") {
    if (!isInteger) return whereSome([sql`sum(${ref})`], ([sum]) => sum);
    const { computed, shown } = exactSum(kind, ref);
    return whereSome(computed, (results) => ofUnits(shown(results)));
  }
  return whereSome([sql`${sql.raw(name)}(${ref})`], ([value]) =>
    unitsOf === undefined ? shownValue(value, type) : tokensText(BigInt(value as bigint)),
  );
}

/** No rows have no aggregate. */
function whereSome(computed: readonly RawBuilder<unknown>[], shown: ColumnAggregate["shown"]): ColumnAggregate {
  return { computed, shown: (results) => (results[0] === null || results[0] === undefined ? null : shown(results)) };
}

interface ExactSum {
  readonly computed: readonly RawBuilder<unknown>[];
  readonly shown: (results: readonly unknown[]) => bigint;
}

const lowBits = 32n;

/** SQLite fails where a sum grows beyond 64 bits: there the halves of the integers are added up apart. */
function exactSum(kind: IndexLocation["kind"], ref: RawBuilder<unknown>): ExactSum {
  if (kind === "postgres")
    return { computed: [sql`cast(sum(${ref}) as text)`], shown: ([sum]) => BigInt(sum as string) };
  return {
    computed: [sql`sum(${ref} >> 32)`, sql`sum(${ref} & 4294967295)`],
    shown: ([high, low]) => (BigInt(high as bigint) << lowBits) + BigInt(low as bigint),
  };
}
