import type { RouteContract } from "@vedette/api";
import type { ServedEvents } from "@vedette/queries/events";
import { TestQueries } from "@vedette/queries/testing";
import { contractsOf, createAdminServer, createHttpServer } from "@vedette/server";
import { code, page, table } from "../markdown.js";

/** The texts that are read from a schema. */
interface Described {
  readonly description?: string;
  readonly type?: string;
  readonly properties?: { readonly [name: string]: Described };
  readonly required?: readonly string[];
}

const refusalForms: { readonly [form in RouteContract["refusals"]]: string } = {
  text: "status 400 and a JSON string",
  texts: "an array of strings",
  problem: "`application/problem+json`",
  kind: "an object of `error` and `message`",
};

/** Every route of both HTTP servers. @spec 50 §1, §2 */
export function httpRoutesPage(): string {
  const queries = TestQueries.empty().queries();
  // Only its routes are read.
  const events = {} as ServedEvents;
  const users = contractsOf(createHttpServer({ queries, metrics: async () => "", isReporting: true, events }));
  const f1r3nodeQueries = TestQueries.emptyF1r3node().queries();
  const served = { queries: f1r3nodeQueries, metrics: async () => "", isReporting: true, events };
  const others = [...contractsOf(createHttpServer(served)), ...contractsOf(createAdminServer(f1r3nodeQueries))].filter(
    (contract, index, all) =>
      !users.includes(contract) && all.findIndex(({ name }) => name === contract.name) === index,
  );
  const operator = contractsOf(createAdminServer(queries)).filter(
    ({ name }) => !users.some((contract) => contract.name === name),
  );
  return page(
    "HTTP routes",
    "the contracts in `packages/services/api/src/http` that the servers register",
    "For developers of clients. `GET /openapi.json` of a node, or its pages at `/docs`, has schemas and examples. Amounts in answers of `/v2` are decimal strings. All other 64-bit integers are JSON numbers: parse them without rounding. [Errors and statuses](errors.md#http) explains statuses. `/ws/events` is rnode's event WebSocket (50 §4).",
    "## For all clients (port 40403)",
    ...grouped(users),
    "## For the operator (port 40405)",
    "The operator's port also serves the versioned routes below `/api/v1`.",
    ...grouped(operator),
    "## On f1r3node networks (`dialect = f1r3node`)",
    "These replace the routes at the same paths, or add to them; `/api/data-at-name` and `/api/transactions/{hash}` do not exist (50 §10).",
    ...grouped(others),
  );
}

function grouped(contracts: readonly RouteContract[]): string[] {
  const groups = new Set(contracts.map(({ group }) => group));
  return [...groups].flatMap((group) => [
    `### ${group}`,
    ...contracts.filter((contract) => contract.group === group).map(routeText),
  ]);
}

function routeText(contract: RouteContract): string {
  const { method, paths, summary, description, body, answer, refusals, otherStatuses = [] } = contract;
  const [first, ...others] = paths.filter((path) => path === "/" || !path.endsWith("/"));
  const lines = [`**${code(`${method} ${first}`)}** ${summary}${summary.endsWith(".") ? "" : "."}`];
  if (others.length > 0) lines.push(`Also ${others.map(code).join(", ")}.`);
  if (description !== undefined) lines.push(description);
  const statuses = [...(refusals === "text" ? [] : [400]), ...otherStatuses].join(", ");
  lines.push(
    `Answers ${code(answer.type ?? "application/json")}${body === undefined ? "" : `, takes ${code(body.type)}`}; refuses with ${refusalForms[refusals]}${statuses === "" ? "" : ` (${statuses})`}.`,
  );
  const rows = [...parameters("path", contract.params), ...parameters("query", contract.query)];
  return rows.length === 0 ? lines.join(" ") : `${lines.join(" ")}\n\n${table(["parameter", "in", "what"], rows)}`;
}

function parameters(place: string, schema: Described | undefined): string[][] {
  return Object.entries(schema?.properties ?? {}).map(([name, { description, type = "" }]) => {
    const isNeeded = place === "path" || (schema?.required ?? []).includes(name);
    return [code(name), `${place}${isNeeded ? "" : ", optional"}`, description ?? type];
  });
}
