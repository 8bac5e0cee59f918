import { deployStateTexts } from "@vedette/client";
import { betweenDays } from "../../data/indexConditions.js";
import { queryIndex } from "../../data/queryIndex.js";
import { useChain } from "../../data/useChain.js";
import { fromHeight, type ListStart } from "../../data/useIndexList.js";
import { Card } from "../../part/Card.js";
import { DeployTable } from "../../part/DeployTable.js";
import { Download } from "../../part/Download.js";
import { type DaySearch, dayFields, FilterForm } from "../../part/FilterForm.js";
import { IndexList } from "../../part/IndexList.js";
import { columnSort } from "../../part/Table.js";
import { printWhole } from "../../text/numbers.js";
import { conditionOfDeployer, wrongDeployer } from "../account/accountOf.js";
import { type DeployRow, deployColumns, listedDeployOf, withNewer } from "./deployRow.js";
import { deployKinds, deploysCsv, type FiledDeploy } from "./deploysCsv.js";

/** The filter of the shown deploys, and their order, from the page's address. */
export interface DeploySearch extends DaySearch, ListStart {
  /** Address or public key of the deployer. */
  readonly by?: string;
  readonly state?: (typeof deployStates)[number];
  readonly kind?: string;
  readonly sort?: "oldest" | "cost";
}

const deployStates = ["included", "finalized", "failed", "rejected", "expired", "forkedAway"] as const;

export function DeployFilter({ of: { page: _page, from, ...filter } }: { readonly of: DeploySearch }) {
  return (
    <div className="filter-card">
      <Card>
        <FilterForm
          to="/explorer/deploys"
          of={{ ...filter, from: from === undefined ? undefined : String(from) }}
          fields={[
            { name: "by", label: "Deployer", placeholder: "Address or public key", isWide: true },
            {
              ...{ name: "state", label: "State" },
              choices: deployStates.map((value) => [value, deployStateTexts[value].word] as const),
            },
            { name: "kind", label: "Kind", choices: Object.entries(deployKinds) },
            ...dayFields,
          ]}
        />
      </Card>
    </div>
  );
}

const document = `query Deploys($where: deployments_bool_exp!, $order: [deployments_order_by!]!, $skip: Int!, $limit: Int!) {
  deployments(where: $where, order_by: $order, limit: $limit, offset: $skip) { ${deployColumns} deployment_type } }`;

const orders = {
  newest: [{ block_number: "desc" }, { deploy_id: "asc" }],
  oldest: [{ block_number: "asc" }, { deploy_id: "asc" }],
  cost: [{ phlo_cost: "desc" }, { block_number: "desc" }, { deploy_id: "asc" }],
} as const;

async function readDeployRows(
  question: { readonly where: object; readonly order: object; readonly skip: number; readonly limit: number },
  signal: AbortSignal,
): Promise<readonly FiledDeploy[]> {
  const answer = await queryIndex<{ readonly deployments: readonly FiledDeploy[] }>(document, { ...question }, signal);
  return answer.deployments;
}

/** The conditions of a filter, for GraphQL; undefined where the deployer is none. */
function conditionsOf({ by, state, kind, ...days }: DeploySearch): object[] | undefined {
  const ofDeployer = conditionOfDeployer(by);
  return (
    ofDeployer && [
      ...ofDeployer,
      ...(state === undefined
        ? []
        : [{ fate: state === "failed" ? { _in: ["failed", "failedSoFar"] } : { _eq: state } }]),
      ...(kind === undefined ? [] : [{ deployment_type: { _eq: kind } }]),
      ...betweenDays(days),
    ]
  );
}

/** Deploys by deployer, state, kind and day, as the node's index has them; new ones appear in the list of all. */
export function FilteredDeploys({ of }: { readonly of: DeploySearch }) {
  const { deploys: live } = useChain();
  const { from, page, sort = "newest", ...filter } = of;
  const conditions = conditionsOf(filter);
  const isLive = Object.keys(of).length === 0;
  const order = orders[sort];
  const where = (start: number | undefined) => ({
    _and: [...(conditions ?? []), ...fromHeight(start, sort === "oldest")],
  });
  return (
    <IndexList<DeployRow>
      {...{ to: "/explorer/deploys", search: of, of: ["deploys", conditions, sort], isLive }}
      title={titleOf(of)}
      isByHeight={sort !== "cost"}
      empty={Object.keys(filter).length > 0 ? "No matching deploys." : "No deploys yet."}
      fault={conditions === undefined ? wrongDeployer : undefined}
      aside={
        <Download
          name="deploys.csv"
          what="these deploys"
          make={(signal) => deploysCsv((page) => readDeployRows({ where: where(from), order, ...page }, signal))}
        />
      }
      read={({ from: start, skip, limit }, signal) =>
        readDeployRows({ where: where(start), order, skip, limit }, signal)
      }
    >
      {(rows) => (
        <DeployTable
          deploys={withNewer(rows.map(listedDeployOf), isLive ? live : [])}
          sorts={{
            block: columnSort("/explorer/deploys", of, [undefined, "oldest"]),
            cost: columnSort("/explorer/deploys", of, ["cost"]),
          }}
        />
      )}
    </IndexList>
  );
}

function titleOf(search: DeploySearch): string {
  const { from, page: _page, sort = "newest", ...filter } = search;
  const what = Object.keys(filter).length > 0 ? "Matching deploys" : "Deploys";
  const heights = from === undefined ? "" : ` ${sort === "oldest" ? "from" : "up to"} block #${printWhole(from)}`;
  const order = { newest: "the newest", oldest: "the oldest", cost: "the most expensive" }[sort];
  return `${what}${heights}, ${order} first`;
}
