import { getRouteApi } from "@tanstack/react-router";
import { betweenDays, fileTime, readAllRows } from "../../data/indexConditions.js";
import { queryIndex } from "../../data/queryIndex.js";
import { fromHeight, type ListStart, type RowOfBlock } from "../../data/useIndexList.js";
import { Card } from "../../part/Card.js";
import { Download } from "../../part/Download.js";
import { type DaySearch, dayFields, FilterForm } from "../../part/FilterForm.js";
import { Account, BlockHeight, ContractUri, DeployId } from "../../part/Hash.js";
import { IndexList } from "../../part/IndexList.js";
import { Table } from "../../part/Table.js";
import { Time } from "../../part/Time.js";
import { csvOf } from "../../text/csv.js";
import { conditionOfDeployer, wrongDeployer } from "../account/accountOf.js";

interface Registered extends RowOfBlock {
  readonly uri: string;
  readonly kind: string;
  readonly deploy_id: string;
  readonly deployer: string;
  readonly block_hash: string;
  readonly block: { readonly timestamp: string };
}

/** The filter of the shown entries, from the page's address. */
interface RegisteredSearch extends DaySearch, ListStart {
  /** Address or public key of the deployer. */
  readonly by?: string;
}

const route = getRouteApi("/explorer/registry");
const document = `query Registered($where: registered_contracts_bool_exp!, $skip: Int!, $limit: Int!) {
  registered_contracts(where: $where, order_by: [{block_number: desc}, {uri: asc}], limit: $limit, offset: $skip) {
    uri kind deploy_id deployer block_hash block_number block { timestamp } }
}`;

async function readRegistered(
  question: { readonly where: object; readonly skip: number; readonly limit: number },
  signal: AbortSignal,
): Promise<readonly Registered[]> {
  const answer = await queryIndex<{ readonly registered_contracts: readonly Registered[] }>(
    document,
    { ...question },
    signal,
  );
  return answer.registered_contracts;
}

/** The conditions of a filter, for GraphQL; undefined where the deployer is none. */
function conditionsOf({ by, ...days }: RegisteredSearch): object[] | undefined {
  const ofDeployer = conditionOfDeployer(by);
  return (
    ofDeployer && [
      { block: { _and: [{ fate: { _neq: "forkedAway" } }, ...betweenDays(days)] } },
      ...ofDeployer.map((deployment) => ({ deployment })),
    ]
  );
}

/** Shows the entries that deploys made in the registry, the latest first, from the node's index. */
export function RegisteredContracts() {
  const search = route.useSearch();
  const { from, page: _page, ...filter } = search;
  return (
    <>
      <Card>
        <FilterForm
          to="/explorer/registry"
          of={{ ...filter, from: from === undefined ? undefined : String(from) }}
          fields={[{ name: "by", label: "Deployer", placeholder: "Address or public key", isWide: true }, ...dayFields]}
        />
      </Card>
      <Entries of={search} />
    </>
  );
}

function Entries({ of }: { readonly of: RegisteredSearch }) {
  const { from, page: _page, ...filter } = of;
  const conditions = conditionsOf(filter);
  const where = (start: number | undefined) => ({ _and: [...(conditions ?? []), ...fromHeight(start, false)] });
  return (
    <IndexList<Registered>
      {...{ to: "/explorer/registry", search: of, of: ["registered", conditions] }}
      title="Registered by deploys"
      empty="No deploy has registered anything here."
      fault={conditions === undefined ? wrongDeployer : undefined}
      aside={
        <Download name="contracts.csv" what="these contracts" make={(signal) => contractsCsv(where(from), signal)} />
      }
      read={({ from: start, skip, limit }, signal) => readRegistered({ where: where(start), skip, limit }, signal)}
    >
      {(rows) => (
        <Table head={["Contract", "Deployer", "Deploy", "Block", { name: "Registered", isTime: true }, "Under"]}>
          {rows.map((row) => (
            <Row key={`${row.uri}${row.deploy_id}${row.block_hash}`} of={row} />
          ))}
        </Table>
      )}
    </IndexList>
  );
}

function Row({ of: row }: { readonly of: Registered }) {
  return (
    <tr>
      <td className="whole">
        <ContractUri of={row.uri} />
      </td>
      <td>
        <Account of={row.deployer} hasCopy={false} />
      </td>
      <td>
        <DeployId of={row.deploy_id} hasCopy={false} />
      </td>
      <td>
        <BlockHeight hash={row.block_hash} number={BigInt(row.block_number)} />
      </td>
      <td>
        <Time at={Number(row.block.timestamp)} />
      </td>
      <td>{underText(row)}</td>
    </tr>
  );
}

function underText({ kind }: Registered): string {
  return kind === "signed" ? "the deployer’s key" : "a new name";
}

async function contractsCsv(where: object, signal: AbortSignal): Promise<string> {
  const rows = await readAllRows((page) => readRegistered({ where, ...page }, signal));
  return csvOf(
    ["uri", "deployer", "deploy", "height", "registered", "kind"],
    rows.map((row) => [
      ...[row.uri, row.deployer, row.deploy_id, row.block_number, fileTime(row.block.timestamp), row.kind],
    ]),
  );
}
