import type { AttackedDev } from "../AttackedDev.js";
import type { AttackedIndex } from "../AttackedIndex.js";
import type { AttackedReplica } from "../AttackedReplica.js";
import { type FloodedServer, httpFloods } from "./httpFloods.js";
import { getBytes, postBytes } from "./requests.js";

/** Rows as long and as many as an answer has. */
const largeQuery = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 100000) select i, '${"x".repeat(1_000)}' from n`;

/** The public server of a chain, and the operator's. */
function serversOf(http: number, adminHttp: number): readonly FloodedServer[] {
  const short = getBytes("/status");
  const large = getBytes("/openapi.json");
  return [
    { port: http, short, large, bodyPath: "/api/explore-deploy" },
    { port: adminHttp, short: getBytes("/health/ready"), large, bodyPath: "/api/explore-deploy" },
  ];
}

export const devFloods = httpFloods<AttackedDev>("`vedette dev`", ({ dev }) =>
  serversOf(dev.ready.ports.http, dev.ready.ports.adminHttp),
);

export const indexFloods = httpFloods<AttackedIndex>("`vedette index --port`", ({ statusPort: port }) => [
  {
    ...{ port, bodyPath: "/v2/sql", short: getBytes("/graphql?query=%7B__typename%7D") },
    large: postBytes("/v2/sql", { query: largeQuery }),
  },
]);

export const replicaFloods = httpFloods<AttackedReplica>("a replica", ({ statusPort, adminPort }) =>
  serversOf(statusPort, adminPort),
);
