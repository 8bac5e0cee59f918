import type { FullBlock } from "@vedette/client";
import { useState } from "react";
import { reasonOf } from "../../data/node.js";
import { Hex } from "../../part/Hash.js";
import { Icon } from "../../part/Icon.js";
import { checkStateRoot } from "./checkStateRoot.js";

type Check = { readonly state: "none" | "asked" } | { readonly state: "proven" | "refused"; readonly words: string };

/** The root of the state after a block, and whether the block's hash really covers it. */
export function StateProof({ block: { blockInfo } }: { readonly block: FullBlock }) {
  const [check, setCheck] = useState<Check>({ state: "none" });
  const prove = async () => {
    setCheck({ state: "asked" });
    try {
      const { nodes, bytes } = await checkStateRoot(blockInfo.blockHash, blockInfo.postStateHash);
      const words = `Checked here, in your browser: the ${bytes.toLocaleString("en")} bytes of the block hash to its name, they hold this root, and ${nodes} ${nodes === 1 ? "node" : "nodes"} of the state's tree lead from the root to an entry.`;
      setCheck({ state: "proven", words });
    } catch (error) {
      setCheck({ state: "refused", words: reasonOf(error) });
    }
  };
  return (
    <div className="proof">
      <div className="buttons">
        <Hex of={blockInfo.postStateHash} what="state root" isWhole />
        <button type="button" className="button small" disabled={check.state === "asked"} onClick={() => void prove()}>
          <Icon name="shield" />
          {check.state === "asked" ? "Checking…" : "Prove it"}
        </button>
      </div>
      {check.state === "proven" && (
        <div className="notice good" role="status">
          <div>
            <strong>Proven.</strong> {check.words}
          </div>
        </div>
      )}
      {check.state === "refused" && (
        <div className="notice bad" role="alert">
          <div>
            <strong>Not proven.</strong> {check.words}
          </div>
        </div>
      )}
    </div>
  );
}
