import { Link } from "@tanstack/react-router";
import type { BlockSummary } from "../data/BlockSummary.js";
import { useChain } from "../data/useChain.js";
import { useFinality } from "../data/useFinality.js";
import { printWhole } from "../text/numbers.js";
import { FinalityBadge } from "./Badge.js";
import { Account, BlockHash } from "./Hash.js";
import { Time } from "./Time.js";

/** Blocks in a list, each in two lines. */
export function BlockRows({ blocks }: { readonly blocks: readonly BlockSummary[] }) {
  const { arrived } = useChain();
  const finalityOf = useFinality(blocks);
  return (
    <ul className="rows">
      {blocks.map((block) => (
        <li key={block.hash} className={arrived.has(block.hash) ? "new" : undefined}>
          <div className="grow">
            <div className="line">
              <Link className="height" to="/explorer/block/$hash" params={{ hash: block.hash }}>
                #{printWhole(block.number)}
              </Link>
              <BlockHash of={block.hash} />
            </div>
            <div className="line sub">
              <Time at={block.timestamp} />
              {block.sender === "" ? (
                <span>genesis</span>
              ) : (
                <span className="line">
                  by <Account of={block.sender} hasCopy={false} />
                </span>
              )}
            </div>
          </div>
          <div className="end">
            <FinalityBadge of={finalityOf(block)} />
            <div className="muted number">{countText(block.deployCount)}</div>
          </div>
        </li>
      ))}
    </ul>
  );
}

export function countText(deploys: number): string {
  return `${printWhole(deploys)} ${deploys === 1 ? "deploy" : "deploys"}`;
}
