import { getRouteApi, Link } from "@tanstack/react-router";
import type { ListedDeploy } from "../../data/LiveChain.js";
import { useChain } from "../../data/useChain.js";
import { placeAfter, useIndexList } from "../../data/useIndexList.js";
import { useSettings } from "../../data/useSettings.js";
import { Card, Empty, Loading, PageHead, QueryView } from "../../part/Card.js";
import { DeployTable } from "../../part/DeployTable.js";
import { LoadMoreButton } from "../../part/LoadMoreButton.js";
import { printWhole } from "../../text/numbers.js";
import { type DeployRow, deployColumns, listedDeployOf, withNewer } from "./deployRow.js";
import { DeployDownload, DeployFilter, FilteredDeploys } from "./FilteredDeploys.js";

const route = getRouteApi("/explorer/deploys");

/** All deploys, from a height downward; on a node without an index the newest ones. */
export function DeploysPage() {
  const search = route.useSearch();
  const { from, ...filter } = search;
  const isFiltered = Object.keys(filter).length > 0;
  const settings = useSettings();
  const about =
    settings?.hasIndex === false
      ? "The newest deploys. This node keeps no index: older ones are on the pages of their block and of their deployer."
      : from === undefined
        ? "Newest first. New deploys appear by themselves."
        : `From block #${printWhole(from)} downward.`;
  return (
    <>
      <PageHead title="Deploys" about={about}>
        {from !== undefined && (
          <Link className="button small" to="/explorer/deploys" search={{}}>
            To the head
          </Link>
        )}
      </PageHead>
      {settings?.hasIndex === true && <DeployFilter of={search} />}
      {settings?.hasIndex === true && isFiltered ? (
        <FilteredDeploys of={search} />
      ) : (
        <Card
          title={from === undefined ? "The newest deploys" : `Deploys up to block #${printWhole(from)}`}
          aside={settings?.hasIndex === true && <DeployDownload where={whereUpTo(from)} />}
        >
          {settings === undefined && <Loading lines={8} />}
          {settings?.hasIndex === true && <AllDeploys key={from ?? "head"} from={from} />}
          {settings?.hasIndex === false && <NewestDeploys />}
        </Card>
      )}
    </>
  );
}

/** The list's own condition, for the index. */
function whereUpTo(from: number | undefined): object {
  return from === undefined ? {} : { block_number: { _lte: String(from) } };
}

function NewestDeploys() {
  const { deploys, connection } = useChain();
  if (deploys.length > 0) return <DeployTable deploys={deploys} />;
  return connection === "live" ? <Empty>No recent deploys.</Empty> : <Loading lines={8} />;
}

const document = `query Deploys($from: bigint!, $skip: Int!, $limit: Int!) {
  deployments(where: {block_number: {_lte: $from}}, order_by: [{block_number: desc}, {deploy_id: asc}],
    limit: $limit, offset: $skip) { ${deployColumns} }
}`;

function AllDeploys({ from }: { readonly from: number | undefined }) {
  const { deploys: live } = useChain();
  const query = useIndexList<DeployRow>({
    ...{ name: "deploys", document, from },
    rowsOf: ({ deployments }: { readonly deployments: readonly DeployRow[] }) => deployments,
  });
  return (
    <QueryView query={query}>
      {({ pages }) => {
        const rows = pages.flat();
        const deploys: ListedDeploy[] = withNewer(rows.map(listedDeployOf), from === undefined ? live : []);
        if (deploys.length === 0) return <Empty>No deploys yet.</Empty>;
        return (
          <>
            <DeployTable deploys={deploys} />
            <LoadMoreButton query={query}>
              <Link to="/explorer/deploys" search={{ from: placeAfter(rows).from ?? 0 }}>
                Link to next page
              </Link>
            </LoadMoreButton>
          </>
        );
      }}
    </QueryView>
  );
}
