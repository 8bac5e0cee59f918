import { IndexError } from "../IndexError.js";
import { indexTables } from "../schema/tables.js";
import {
  postgresFunctions,
  postgresMembers,
  postgresOperators,
  postgresParts,
  postgresTypeNames,
} from "./postgresAllowList.js";

type Part = Readonly<Record<string, unknown>>;

/** The names in a query that only the database can resolve. */
export interface PostgresNames {
  /** Names behind a dot: columns, unless a function has the name, which PostgreSQL would call then. */
  readonly behindDots: readonly string[];
}

const tables: ReadonlySet<string> = new Set(indexTables.map(({ name }) => name));
const columns: ReadonlySet<string> = new Set(indexTables.flatMap((table) => Object.keys(table.columns)));

/**
 * Looks at a query as PostgreSQL's own parser reads it: each part, function, operator, type and table must be on the
 * list.
 *
 * @param schema that has the tables of the index
 * @throws {IndexQueryError} `badQuery`
 */
export async function checkPostgresQuery(query: string, schema: string): Promise<PostgresNames> {
  const statements = await parsed(query);
  const only = statements.length === 1 ? (statements[0]?.["stmt"] as Part | undefined) : undefined;
  if (only === undefined || Object.keys(only).join() !== "SelectStmt")
    throw refused("Only queries are allowed: they begin with SELECT, WITH or VALUES.");
  const check = new Check(schema);
  try {
    check.part(only, new Set());
  } catch (error) {
    if (error instanceof RangeError) throw refused("Queries may not be nested so deeply.");
    throw error;
  }
  return { behindDots: [...check.behindDots] };
}

/** The parser is loaded where there is a PostgreSQL. */
async function parsed(query: string): Promise<readonly Part[]> {
  const { parse } = (await import("libpg-query")) as { parse: (text: string) => Promise<unknown> };
  try {
    return ((await parse(query)) as { readonly stmts?: readonly Part[] }).stmts ?? [];
  } catch (error) {
    throw refused(
      error instanceof RangeError
        ? "Queries may not be nested so deeply."
        : `The query may not be understood: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

class Check {
  readonly behindDots = new Set<string>();
  readonly #schema: string;

  constructor(schema: string) {
    this.#schema = schema;
  }

  /** @param named subqueries of WITH that can be read here under their names */
  part(part: unknown, named: ReadonlySet<string>): void {
    if (Array.isArray(part)) {
      for (const each of part) this.part(each, named);
      return;
    }
    if (typeof part !== "object" || part === null) return;
    const within = this.#withClause(part as Part, named);
    for (const [key, value] of Object.entries(part)) {
      if (key === "withClause") continue;
      this.#checkMember(key, value as Part, within);
      if (key !== "typeName") this.part(value, within);
    }
  }

  #checkMember(key: string, value: Part, named: ReadonlySet<string>): void {
    const isPart = /^[A-Z]/.test(key);
    if (!(isPart ? postgresParts : postgresMembers).has(key)) throw refused(`Queries may not use ${key}.`);
    if (isPart) this.#checkPart(key, value, named);
    if (key === "typeName") checkType(value);
  }

  /** Names are valid in the query that follows them, and in later ones of the list; recursive ones in all. */
  #withClause(part: Part, named: ReadonlySet<string>): ReadonlySet<string> {
    const clause = part["withClause"] as Part | undefined;
    if (clause === undefined) return named;
    const list = (clause["ctes"] as readonly Part[]).map((each) => each["CommonTableExpr"] as Part);
    const known = new Set(named);
    if (clause["recursive"] === true) for (const each of list) known.add(String(each["ctename"]));
    for (const each of list) {
      this.part({ CommonTableExpr: each }, new Set(known));
      known.add(String(each["ctename"]));
    }
    return known;
  }

  #checkPart(kind: string, part: Part, named: ReadonlySet<string>): void {
    if (kind === "RangeVar") this.#checkTable(part, named);
    else if (kind === "FuncCall") checkFunction(textsOf(part["funcname"]));
    else if (kind === "A_Expr") checkOperator(textsOf(part["name"]));
    else if (kind === "SubLink" && part["operName"] !== undefined) checkOperator(textsOf(part["operName"]));
    else if (kind === "ColumnRef") for (const name of textsOf(part["fields"]).slice(1)) this.#behindDot(name);
    else if (kind === "A_Indirection") for (const name of textsOf(part["indirection"])) this.#behindDot(name);
  }

  #behindDot(name: string): void {
    if (!columns.has(name) && !postgresFunctions.has(name)) this.behindDots.add(name);
  }

  #checkTable(part: Part, named: ReadonlySet<string>): void {
    const [schema, name] = [part["schemaname"] as string | undefined, String(part["relname"])];
    const isOfIndex = tables.has(name) && (schema === undefined || schema === this.#schema);
    if (part["catalogname"] === undefined && (isOfIndex || (schema === undefined && named.has(name)))) return;
    throw refused("Only tables and views of the index may be read (docs/reference/schema.md).");
  }
}

function checkFunction(names: readonly string[]): void {
  if (!postgresFunctions.has(ownName(names) ?? ""))
    throw refused(`The function ${names.join(".")} may not be used here.`);
}

function checkOperator(names: readonly string[]): void {
  // `not between`, `is distinct from` and others have words for a name.
  const isAllowed =
    names.length === 1 && names[0]!.split(" ").every((word) => operatorWords.test(word) || postgresOperators.has(word));
  if (!isAllowed) throw refused(`The operator ${names.join(".")} may not be used here.`);
}

const operatorWords = /^(NOT|BETWEEN|SYMMETRIC)$/;

function checkType(type: Part): void {
  const names = textsOf(type["names"]);
  if (!postgresTypeNames.has(ownName(names) ?? "") || type["setof"] === true || type["pct_type"] === true)
    throw refused(`The type ${names.join(".")} may not be used here.`);
}

/** A name without the schema of PostgreSQL's own; `undefined` where it is of another one. */
function ownName(names: readonly string[]): string | undefined {
  if (names.length === 1) return names[0];
  return names.length === 2 && names[0] === "pg_catalog" ? names[1] : undefined;
}

/** Returns the texts of a list of names: `*` and positions are none. */
function textsOf(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly Part[]).flatMap((each) => {
    const text = (each["String"] as Part | undefined)?.["sval"];
    return typeof text === "string" ? [text] : [];
  });
}

function refused(reason: string): IndexError {
  return new IndexError({ code: "badQuery", reason });
}
