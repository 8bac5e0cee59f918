import { IndexError } from "../IndexError.js";
import { indexTables } from "../schema/tables.js";
import type { LibsqlConnection } from "./LibsqlDialect.js";
import { sqliteFunctions, sqliteModules, sqliteSteps } from "./sqliteAllowList.js";

/** One step of a compiled query, as EXPLAIN has its columns. */
type Step = readonly [
  address: bigint,
  opcode: string,
  p1: bigint,
  p2: bigint,
  p3: bigint,
  p4: string | null,
  p5: bigint,
  comment: unknown,
];

/** Steps that name a function, as `upper(1)`. */
const callSteps = new Set(["Function", "PureFunc", "AggStep", "AggStep1", "AggInverse", "AggValue", "AggFinal"]);
/** Steps that open a table of the file: the first page of the table, and the number of the file. */
const openSteps = new Set(["OpenRead", "ReopenIdx"]);
/** Set in P5 where P2 is not the page, but where the page will be found. */
const isPageComputed = 0x10n;

/** Tables that have rows, by name; views are made of these. */
const readTables = indexTables.filter(({ view }) => view === undefined).map(({ name }) => `'${name}'`);
const pagesQuery = `select rootpage from sqlite_schema where tbl_name in (${readTables.join(", ")}) and rootpage > 0`;

/**
 * Checks the program that SQLite itself makes of a query, instead of its text: every step, function, table and virtual
 * table must be on the list. Compiling for EXPLAIN executes nothing.
 *
 * SQLite reports only the address of a virtual table. The statements that named the allowed ones live as long as the
 * connection, so that no other one can get their addresses.
 *
 * @param sql begins with `select`, so that it is no other kind of statement, with any text of an untrusted client after it
 * @throws {IndexQueryError} `badQuery` for parts that are not on the list; SQLite's error for an invalid query
 */
export async function checkSqliteProgram(connection: LibsqlConnection, sql: string): Promise<void> {
  const steps = async (query: string): Promise<Step[]> => {
    const { rows } = await connection.table(`explain ${query}`);
    const found: Step[] = [];
    for await (const row of rows) found.push([...row] as unknown as Step);
    return found;
  };
  const modules = new Set<string>();
  for (const name of sqliteModules)
    for (const [, opcode, , , , p4] of await steps(`select * from ${name}('[]')`))
      if (opcode === "VOpen" && p4 !== null) modules.add(p4);
  const pages = new Set<bigint>();
  for await (const [page] of (await connection.table(pagesQuery)).rows) pages.add(page as bigint);
  for (const step of await steps(sql)) checkStep(step, { modules, pages });
}

interface Reachable {
  readonly modules: ReadonlySet<string>;
  readonly pages: ReadonlySet<bigint>;
}

function checkStep([, opcode, , p2, p3, p4, p5]: Step, { modules, pages }: Reachable): void {
  if (!sqliteSteps.has(opcode)) throw refused(`Queries may not use what SQLite calls ${opcode}.`);
  if (callSteps.has(opcode)) {
    const name = (p4 ?? "").replace(/\(-?\d+\)$/, "");
    if (!sqliteFunctions.has(name)) throw refused(`The function ${name} may not be used here.`);
  }
  if (opcode === "Transaction" && p2 !== 0n) throw refused("Queries may not write.");
  if (openSteps.has(opcode) && (p3 !== 0n || (p5 & isPageComputed) !== 0n || !pages.has(p2)))
    throw refused("Only tables and views of the index may be read (docs/reference/schema.md).");
  if (opcode === "VOpen" && !modules.has(p4 ?? ""))
    throw refused(`Of tables that take arguments, only ${sqliteModules.join(" and ")} may be read.`);
}

function refused(reason: string): IndexError {
  return new IndexError({ code: "badQuery", reason });
}
