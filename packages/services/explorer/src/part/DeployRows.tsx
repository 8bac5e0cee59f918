import { Link } from "@tanstack/react-router";
import type { DeployBrief } from "@vedette/client";
import type { ListedDeploy } from "../data/LiveChain.js";
import { useChain } from "../data/useChain.js";
import { useDeployBriefs } from "../data/useDeployBriefs.js";
import { printWhole } from "../text/numbers.js";
import { DeployStatusBadge } from "./Badge.js";
import { Account, DeployId } from "./Hash.js";
import { Said } from "./Said.js";

/** Deploys in a list: what each did, then which it is. */
export function DeployRows({ deploys }: { readonly deploys: readonly ListedDeploy[] }) {
  const { arrived } = useChain();
  const briefOf = useDeployBriefs(deploys.map(({ id }) => id));
  return (
    <ul className="rows">
      {deploys.map((deploy) => (
        <li key={deploy.id + deploy.blockHash} className={arrived.has(deploy.id) ? "new" : undefined}>
          <div className="grow">
            <WhatItDid of={briefOf(deploy.id)?.summary} errored={deploy.errored} />
            <div className="line sub">
              <DeployId of={deploy.id} />
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
            <DeployStatusBadge of={briefOf(deploy.id)?.status ?? deploy.fate ?? "included"} />
            <div className="muted number">{printWhole(deploy.cost)} phlo</div>
          </div>
        </li>
      ))}
    </ul>
  );
}

interface WhatItDidProps {
  readonly of: DeployBrief["summary"] | undefined;
  readonly errored: boolean;
}

/** Until the node has looked into it, only whether it failed is known. */
function WhatItDid({ of, errored }: WhatItDidProps) {
  if (of) return <Said of={of} />;
  return <span className="said-line muted">{errored ? "failed" : "…"}</span>;
}
