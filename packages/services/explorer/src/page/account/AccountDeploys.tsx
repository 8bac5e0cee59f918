import { Link } from "@tanstack/react-router";
import type { DeploysPage } from "@vedette/client";
import type { ListedDeploy } from "../../data/LiveChain.js";
import { node } from "../../data/node.js";
import { useSettings } from "../../data/useSettings.js";
import { DeployTable } from "../../part/DeployTable.js";
import { AccountList } from "./AccountList.js";

/** Lists the deploys that an account has signed, the latest first. */
export function AccountDeploys({ address }: { readonly address: string }) {
  const settings = useSettings();
  return (
    <>
      {settings?.hasIndex === true && (
        <p className="card-body">
          <Link to="/explorer/deploys" search={{ by: address }}>
            Filter them, sort them, or download them as CSV
          </Link>
        </p>
      )}
      <AccountList
        of={["deploys", address]}
        ask={({ signal, ...place }) => node.deploys({ address, limit: 50, ...place }, { signal })}
        itemsOf={({ deploys }) => deploys}
        nothing="No deploy that this node knows."
      >
        {(deploys) => <DeployTable deploys={deploys.map(listedDeployOf)} without="deployer" />}
      </AccountList>
    </>
  );
}

function listedDeployOf(deploy: DeploysPage["deploys"][number]): ListedDeploy {
  const { deployId: id, deployer, cost, errored, systemDeployError, timestamp } = deploy;
  const { blockHash, blockNumber } = deploy.block;
  return {
    ...{ id, deployer, cost, errored: errored || systemDeployError !== "" },
    ...{ blockHash, blockNumber: Number(blockNumber), timestamp: Number(timestamp) },
  };
}
