import { getRouteApi, Link } from "@tanstack/react-router";
import { useChain } from "../../data/useChain.js";
import { useSettings } from "../../data/useSettings.js";
import { Card, Empty, Loading, PageHead } from "../../part/Card.js";
import { DeployTable } from "../../part/DeployTable.js";
import { DeployFilter, FilteredDeploys } from "./FilteredDeploys.js";

const route = getRouteApi("/explorer/deploys");

/** All deploys, by filter and in any order; on a node without an index the newest ones. */
export function DeploysPage() {
  const search = route.useSearch();
  const settings = useSettings();
  const about =
    settings?.hasIndex === false
      ? "The newest deploys. This node keeps no index: older ones are on the pages of their block and of their deployer."
      : Object.keys(search).length === 0
        ? "New deploys appear by themselves. The heads of columns sort the list."
        : "The heads of columns sort the list.";
  return (
    <>
      <PageHead title="Deploys" about={about}>
        {(search.from !== undefined || search.page !== undefined) && (
          <Link className="button small" to="/explorer/deploys" search={{}}>
            To the head
          </Link>
        )}
      </PageHead>
      {settings?.hasIndex === true ? (
        <>
          <DeployFilter of={search} />
          <FilteredDeploys of={search} />
        </>
      ) : (
        <Card title="The newest deploys">{settings === undefined ? <Loading lines={8} /> : <NewestDeploys />}</Card>
      )}
    </>
  );
}

function NewestDeploys() {
  const { deploys, connection } = useChain();
  if (deploys.length > 0) return <DeployTable deploys={deploys} />;
  return connection === "live" ? <Empty>No recent deploys.</Empty> : <Loading lines={8} />;
}
