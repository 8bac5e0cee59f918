import type { Attack } from "../Attack.js";
import type { AttackedDev } from "../AttackedDev.js";
import { repeat } from "./requests.js";
import { changeByGet, type PageRequest, requestAsPages } from "./webPages.js";

const graphql = JSON.stringify({ query: "{ blocks { block_hash } }" });
const requests: readonly PageRequest[] = [
  { method: "POST", path: "/v2/sql", body: JSON.stringify({ query: "select deploy_id from deployments" }) },
  { method: "OPTIONS", path: "/v2/sql" },
  { method: "POST", path: "/graphql", body: graphql },
  { method: "GET", path: `/graphql?query=${encodeURIComponent("{ blocks { block_hash } }")}` },
];

/** Pages of strangers send requests to the index on this machine. */
export const pagesAtIndex: Attack<AttackedDev> = {
  name: "web pages at `vedette index --port`",
  async run({ indexPort }, enough) {
    const gains = new Set<string>();
    await repeat(enough, 2, async () => {
      const all = [...(await requestAsPages(indexPort, requests)), ...(await changeByGet(indexPort, ["/v2/sql"]))];
      for (const gain of all) gains.add(gain);
    });
    return [...gains];
  },
};
