/** The value of a cell; empty ones are `null`. */
export type PlainCell = bigint | number | string | boolean | null;

/** A row: its cells, and rows of other tables that belong to it. */
export interface PlainRow {
  readonly [column: string]: PlainCell | readonly PlainRow[];
}

/** A condition as Hasura has it. */
export type PlainCondition = { readonly [name: string]: unknown };

/** The result of a comparison; `undefined` with an empty cell. */
type Truth = boolean | undefined;

/** How the texts of a condition are read, by the column: as the cells are. */
export type ReadValue = (column: string, value: unknown) => PlainCell;

/**
 * Whether a condition holds for a row, by the words of Hasura's documents and SQL's three values of truth: a row at a
 * time, with nothing of a database.
 */
export class PlainRows {
  readonly #read: ReadValue;

  constructor(read: ReadValue) {
    this.#read = read;
  }

  where(rows: readonly PlainRow[], condition: PlainCondition): PlainRow[] {
    return rows.filter((row) => this.#holds(row, condition) === true);
  }

  #holds(row: PlainRow, condition: PlainCondition): Truth {
    return all(
      Object.entries(condition).map(([name, given]) => {
        if (name === "_and") return all((given as PlainCondition[]).map((one) => this.#holds(row, one)));
        if (name === "_or") return any((given as PlainCondition[]).map((one) => this.#holds(row, one)));
        if (name === "_not") return not(this.#holds(row, given as PlainCondition));
        const cell = row[name]!;
        if (Array.isArray(cell)) return this.where(cell, given as PlainCondition).length > 0;
        return this.#compares(name, cell as PlainCell, given as PlainCondition);
      }),
    );
  }

  #compares(column: string, cell: PlainCell, given: PlainCondition): Truth {
    return all(
      Object.entries(given).map(([operator, wanted]) => {
        if (operator === "_is_null") return (cell === null) === wanted;
        if (operator === "_in" || operator === "_nin") {
          const found = any((wanted as unknown[]).map((one) => equal(cell, this.#read(column, one))));
          return operator === "_in" ? found : not(found);
        }
        const value = this.#read(column, wanted);
        return cell === null ? undefined : compare(operator, cell, value);
      }),
    );
  }
}

function equal(cell: PlainCell, value: PlainCell): Truth {
  return cell === null ? undefined : cell === value;
}

function compare(operator: string, cell: NonNullable<PlainCell>, value: PlainCell): boolean {
  switch (operator) {
    case "_eq":
      return cell === value;
    case "_neq":
      return cell !== value;
    case "_gt":
      return cell > value!;
    case "_gte":
      return cell >= value!;
    case "_lt":
      return cell < value!;
    case "_lte":
      return cell <= value!;
    case "_like":
      return likeOf(String(value), "s").test(String(cell));
    case "_nlike":
      return !likeOf(String(value), "s").test(String(cell));
    case "_ilike":
      return likeOf(String(value), "si").test(String(cell));
    case "_nilike":
      return !likeOf(String(value), "si").test(String(cell));
    default:
      throw new TypeError(`no operator ${operator}`);
  }
}

function likeOf(pattern: string, flags: string): RegExp {
  const source = pattern.replace(/\\(.)|%|_|[.*+?^${}()|[\]\\/-]/gs, (found, escaped: string | undefined) => {
    if (escaped !== undefined) return `\\u${escaped.charCodeAt(0).toString(16).padStart(4, "0")}`;
    if (found === "%") return ".*";
    return found === "_" ? "." : `\\${found}`;
  });
  return new RegExp(`^${source}$`, flags);
}

function all(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(undefined) ? undefined : true;
}

function any(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true;
  return truths.includes(undefined) ? undefined : false;
}

function not(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}
