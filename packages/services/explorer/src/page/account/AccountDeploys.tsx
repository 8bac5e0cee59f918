import { Link } from "@tanstack/react-router";
import type { DeploysPage } from "@vedette/client";
import { node } from "../../data/node.js";
import { Badge, FinalityBadge } from "../../part/Badge.js";
import { DeployId } from "../../part/Hash.js";
import { Said } from "../../part/Said.js";
import { Time } from "../../part/Time.js";
import { printWhole } from "../../text/numbers.js";
import { AccountList } from "./AccountList.js";

const head = ["Deploy", "What it did", "Signed", "Block", { name: "Cost, phlo", isRight: true }, "Outcome"];

/** Lists the deploys that an account has signed, the latest first. */
export function AccountDeploys({ address }: { readonly address: string }) {
  return (
    <AccountList
      of={["deploys", address]}
      ask={({ signal, ...place }) => node.deploys({ address, limit: 50, summaries: true, ...place }, { signal })}
      itemsOf={({ deploys }) => deploys}
      nothing="No deploy that this node knows."
      head={head}
      row={(deploy) => <Row key={deploy.deployId + deploy.block.blockHash} deploy={deploy} />}
    />
  );
}

function Row({ deploy }: { readonly deploy: DeploysPage["deploys"][number] }) {
  const { deployId, timestamp, cost, errored, systemDeployError, block, summary } = deploy;
  return (
    <tr>
      <td>
        <DeployId of={deployId} />
      </td>
      <td className="what">{summary ? <Said of={summary} /> : <span className="muted">…</span>}</td>
      <td>
        <Time at={Number(timestamp)} />
      </td>
      <td className="number">
        <Link to="/explorer/block/$hash" params={{ hash: block.blockHash }}>
          #{printWhole(block.blockNumber)}
        </Link>
      </td>
      <td className="right number">{printWhole(cost)}</td>
      <td>
        {errored || systemDeployError !== "" ? <Badge tone="bad">Failed</Badge> : <FinalityBadge of={block.status} />}
      </td>
    </tr>
  );
}
