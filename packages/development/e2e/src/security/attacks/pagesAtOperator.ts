import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { repeat } from "./requests.js";
import { changeByGet, type PageRequest, requestAsPages } from "./webPages.js";

const sql = JSON.stringify({ query: "select deploy_id from deployments" });
const requests: readonly PageRequest[] = [
  { method: "GET", path: "/status" },
  { method: "GET", path: "/openapi.json" },
  { method: "POST", path: "/v2/sql", body: sql },
  { method: "OPTIONS", path: "/v2/sql" },
  { method: "POST", path: "/v2/feed", body: JSON.stringify({ method: "about" }) },
  { method: "POST", path: "/api/propose", body: "{}" },
  { method: "POST", path: "/api/v1/propose", body: "{}" },
];
const changes = ["/api/propose", "/api/v1/propose", "/propose", "/v2/sql?query=select%201", "/v2/feed?method=about"];

/** Pages of strangers in the operator's browser send requests to the operator's port. */
export const pagesAtOperator: Attack<AttackedNode> = {
  name: "web pages at the operator's port",
  async run({ ports: { adminHttp } }, enough) {
    const gains = new Set<string>();
    await repeat(enough, 2, async () => {
      const all = [...(await requestAsPages(adminHttp, requests)), ...(await changeByGet(adminHttp, changes))];
      for (const gain of all) gains.add(gain);
    });
    return [...gains];
  },
};
