import type { FullBlock } from "@vedette/client";
import { useMemo, useState } from "react";
import { deploysOfBlock } from "../../data/LiveChain.js";
import { DeployTable } from "../../part/DeployTable.js";
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
      {shown < deploys.length && (
        <p className="more">
          <button type="button" className="button small" onClick={() => setShown(shown + 10 * atOnce)}>
            Load the rest ({printWhole(deploys.length - shown)} more)
          </button>
        </p>
      )}
    </>
  );
}
