import { useInfiniteQuery } from "@tanstack/react-query";
import { deployStateTexts } from "@vedette/client";
import { betweenDays, fileTime, readAllRows } from "../../data/indexConditions.js";
import { queryIndex } from "../../data/queryIndex.js";
import { Card, Empty, QueryView } from "../../part/Card.js";
import { DeployTable } from "../../part/DeployTable.js";
import { Download } from "../../part/Download.js";
import { type DaySearch, dayFields, FilterForm } from "../../part/FilterForm.js";
import { LoadMoreButton } from "../../part/LoadMoreButton.js";
import { csvOf } from "../../text/csv.js";
import { accountOf } from "../account/accountOf.js";
import { type DeployRow, deployColumns, listedDeployOf } from "./deployRow.js";

/** The filter of the shown deploys, from the page's address. */
export interface DeploySearch extends DaySearch {
  /** Greatest height. */
  readonly from?: number;
  /** Address or public key of the deployer. */
  readonly by?: string;
  readonly state?: (typeof deployStates)[number];
  readonly kind?: string;
}

/** The probable kind of a deploy's program, according to the index. */
const deployKinds: Readonly<Record<string, string>> = {
  asi_transfer: "Transfer",
  validator_operation: "Validator",
  registry_lookup: "Registry lookup",
  finalizer_contract: "Finalizer",
  auction_contract: "Auction",
  smart_contract: "Other program",
};
const deployStates = ["included", "finalized", "failed", "rejected", "expired", "forkedAway"] as const;

const atOnce = 50;

export function DeployFilter({ of: { by, state, kind, since, until, from } }: { readonly of: DeploySearch }) {
  return (
    <div className="filter-card">
      <Card>
        <FilterForm
          to="/explorer/deploys"
          of={{ by, state, kind, since, until, from: from === undefined ? undefined : String(from) }}
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

interface FiledDeploy extends DeployRow {
  readonly deployment_type: string;
}

const document = `query Deploys($where: deployments_bool_exp!, $skip: Int!, $limit: Int!) {
  deployments(where: $where, order_by: [{block_number: desc}, {deploy_id: asc}], limit: $limit, offset: $skip) {
    ${deployColumns} deployment_type } }`;

async function readDeployRows(
  question: { readonly where: object; readonly skip: number; readonly limit: number },
  signal: AbortSignal,
): Promise<readonly FiledDeploy[]> {
  const answer = await queryIndex<{ readonly deployments: readonly FiledDeploy[] }>(document, { ...question }, signal);
  return answer.deployments;
}

/** A filter as GraphQL's condition; undefined where the deployer is none. */
function conditionOf({ by, state, kind, from, ...days }: DeploySearch): object | undefined {
  const address = by === undefined ? undefined : accountOf(by)?.address;
  if (by !== undefined && address === undefined) return undefined;
  return {
    _and: [
      ...(address === undefined ? [] : [{ deployer_address: { _eq: address } }]),
      ...(state === undefined
        ? []
        : [{ fate: state === "failed" ? { _in: ["failed", "failedSoFar"] } : { _eq: state } }]),
      ...(kind === undefined ? [] : [{ deployment_type: { _eq: kind } }]),
      ...(from === undefined ? [] : [{ block_number: { _lte: String(from) } }]),
      ...betweenDays(days),
    ],
  };
}

/** The deploys of a condition of GraphQL as a file. */
export function DeployDownload({ where }: { readonly where: object }) {
  return <Download name="deploys.csv" what="these deploys" make={(signal) => deploysCsv(where, signal)} />;
}

/** Deploys by deployer, state, kind and day, as the node's index has them. */
export function FilteredDeploys({ of }: { readonly of: DeploySearch }) {
  const where = conditionOf(of);
  const query = useInfiniteQuery({
    queryKey: ["deployRows", where],
    initialPageParam: 0,
    queryFn: ({ pageParam: skip, signal }) => readDeployRows({ where: where!, skip, limit: atOnce }, signal),
    getNextPageParam: (page, pages) => (page.length < atOnce ? undefined : pages.length * atOnce),
    enabled: where !== undefined,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 15_000),
  });
  if (where === undefined)
    return (
      <Card>
        <Empty>The deployer is neither an address nor a public key. Check whether all of it was copied.</Empty>
      </Card>
    );
  return (
    <Card title="Matching deploys" aside={<DeployDownload where={where} />}>
      <QueryView query={query}>
        {({ pages }) => {
          const rows = pages.flat();
          if (rows.length === 0) return <Empty>No matching deploys.</Empty>;
          return (
            <>
              <DeployTable deploys={rows.map(listedDeployOf)} />
              <LoadMoreButton query={query} />
            </>
          );
        }}
      </QueryView>
    </Card>
  );
}

async function deploysCsv(where: object, signal: AbortSignal): Promise<string> {
  const rows = await readAllRows((page) => readDeployRows({ where, ...page }, signal));
  const head = ["signed", "height", "deploy", "deployer", "kind", "phlo", "state"];
  return csvOf(
    head,
    rows.map((row) => [
      ...[fileTime(row.timestamp), row.block_number, row.deploy_id, row.deployer],
      ...[deployKinds[row.deployment_type] ?? row.deployment_type, row.phlo_cost, deployStateTexts[row.fate].word],
    ]),
  );
}
