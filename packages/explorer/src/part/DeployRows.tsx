import { Link } from "@tanstack/react-router";
import type { DeployBrief } from "../data/LiveChain.js";
import { useChain } from "../data/useChain.js";
import { printWhole } from "../text/numbers.js";
import { Badge, FateBadge } from "./Badge.js";
import { Account, DeployId } from "./Hash.js";

/** Deploys in a list, each in two lines. */
export function DeployRows({ deploys }: { readonly deploys: readonly DeployBrief[] }) {
  const { arrived, lastFinalized } = useChain();
  return (
    <ul className="rows">
      {deploys.map((deploy) => (
        <li key={deploy.id + deploy.blockHash} className={arrived.has(deploy.id) ? "new" : undefined}>
          <div className="grow">
            <div className="line">
              <DeployId of={deploy.id} />
            </div>
            <div className="line sub">
              <span className="line">
                by <Account of={deploy.deployer} hasCopy={false} />
              </span>
              <span>
                in{" "}
                <Link to="/explorer/block/$hash" params={{ hash: deploy.blockHash }}>
                  #{printWhole(deploy.blockNumber)}
                </Link>
              </span>
            </div>
          </div>
          <div className="end">
            {deploy.fate === "rejected" || deploy.fate === "forkedAway" ? (
              <FateBadge of={deploy.fate} />
            ) : deploy.errored ? (
              <Badge tone="bad">Failed</Badge>
            ) : deploy.blockNumber <= (lastFinalized?.number ?? -1) ? (
              <Badge tone="good">Finalized</Badge>
            ) : (
              <Badge tone="wait">In a block</Badge>
            )}
            <div className="muted number">{printWhole(deploy.cost)} phlo</div>
          </div>
        </li>
      ))}
    </ul>
  );
}
