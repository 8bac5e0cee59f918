import { Link } from "@tanstack/react-router";
import type { DeployBrief } from "../data/LiveChain.js";
import { useChain } from "../data/useChain.js";
import { useFates } from "../data/useFates.js";
import { printWhole } from "../text/numbers.js";
import { FateBadge } from "./Badge.js";
import { Account, DeployId } from "./Hash.js";

/** Deploys in a list, each in two lines. */
export function DeployRows({ deploys }: { readonly deploys: readonly DeployBrief[] }) {
  const { arrived } = useChain();
  const fateOf = useFates(deploys.map(({ id }) => id));
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
            <FateBadge of={fateOf(deploy.id) ?? deploy.fate ?? "included"} />
            <div className="muted number">{printWhole(deploy.cost)} phlo</div>
          </div>
        </li>
      ))}
    </ul>
  );
}
