import { until } from "@vedette/testing";
import { post } from "./requests.js";

const lookMs = 250;

/** A node that has an index. */
interface IndexedNode {
  readonly ports: { readonly http: number; readonly adminHttp: number };
  height(): Promise<number>;
}

/** Waits until SQL and GraphQL answer again, from tables that have come to the height of the chain. */
export async function indexGoesOn(target: IndexedNode): Promise<void> {
  const { http, adminHttp } = target.ports;
  const height = await target.height();
  let last = "";
  const isThere = async () => {
    const sql = await post({ port: adminHttp, path: "/v2/sql" }, { query: "select max(block_number) from blocks" });
    const query = `{ blocks(where: {block_number: {_gte: ${height}}}, limit: 1) { block_number } }`;
    const graphql = await post({ port: http, path: "/graphql" }, { query });
    last = `SQL ${sql.status} ${sql.text.slice(0, 200)}, GraphQL ${graphql.status} ${graphql.text.slice(0, 200)}`;
    const reached = /"rows":\[\["(\d+)"\]\]/.exec(sql.text)?.[1];
    return Number(reached ?? -1) >= height && /"block_number":"\d+"/.test(graphql.text);
  };
  await until(`the index to answer up to block ${height}`, isThere, { everyMs: lookMs, state: () => last });
}
