import type { FullBlock } from "@vedette/client";
import { useMemo, useState } from "react";
import { fileTime } from "../../data/indexConditions.js";
import { deploysOfBlock } from "../../data/LiveChain.js";
import { DeployTable } from "../../part/DeployTable.js";
import { Download } from "../../part/Download.js";
import { csvOf } from "../../text/csv.js";
import { printWhole } from "../../text/numbers.js";

/** A block may have thousands. */
const atOnce = 100;

/** The deploys of a block, with cost and state. */
export function BlockDeploys({ block }: { readonly block: FullBlock }) {
  const [shown, setShown] = useState(atOnce);
  const deploys = useMemo(() => deploysOfBlock(block), [block]);
  if (deploys.length === 0) return <p className="empty">This block has no deploys.</p>;
  return (
    <>
      <DeployTable deploys={deploys.slice(0, shown)} without="block" />
      <div className="more buttons">
        <Download
          name={`deploys-${block.blockInfo.blockHash.slice(0, 8)}.csv`}
          what="the deploys"
          make={async () => csvOfDeploys(block)}
        />
        {shown < deploys.length && (
          <button type="button" className="button small" onClick={() => setShown(shown + 10 * atOnce)}>
            Load the rest ({printWhole(deploys.length - shown)} more)
          </button>
        )}
      </div>
    </>
  );
}

function csvOfDeploys({ blockInfo, deploys }: FullBlock): string {
  return csvOf(
    ["signed", "height", "deploy", "deployer", "phlo", "failed"],
    deploys.map((deploy) => [
      ...[fileTime(String(deploy.timestamp)), String(blockInfo.blockNumber), deploy.sig, deploy.deployer],
      ...[String(deploy.cost), String(deploy.errored || deploy.systemDeployError !== "")],
    ]),
  );
}
