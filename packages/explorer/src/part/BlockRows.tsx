import { Link } from "@tanstack/react-router";
import { type BlockBrief, type Finality, finalizedAmong } from "../data/BlockBrief.js";
import { useChain } from "../data/useChain.js";
import { printWhole } from "../text/numbers.js";
import { FinalityBadge } from "./Badge.js";
import { Account, BlockHash } from "./Hash.js";
import { Time } from "./Time.js";

/** Blocks in a list, each in two lines. */
export function BlockRows({ blocks }: { readonly blocks: readonly BlockBrief[] }) {
  const chain = useChain();
  const finalized = finalizedAmong([...chain.blocks, ...blocks], chain.lastFinalized?.hash);
  return (
    <ul className="rows">
      {blocks.map((block) => (
        <li key={block.hash} className={chain.arrived.has(block.hash) ? "new" : undefined}>
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
            <FinalityBadge of={finalityOf(block, finalized, chain)} />
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

/** Far below the last finalized block all that was not forked away is final: what is loaded does not reach so far. */
const farBelow = 100;

function finalityOf(
  { hash, number }: BlockBrief,
  finalized: ReadonlySet<string>,
  { forkedAway, lastFinalized, blocks }: ReturnType<typeof useChain>,
): Finality {
  if (forkedAway.has(hash)) return "forkedAway";
  if (finalized.has(hash)) return "finalized";
  const isKnownPart = number >= (blocks.at(-1)?.number ?? 0);
  return !isKnownPart && number <= (lastFinalized?.number ?? -1) - farBelow ? "finalized" : "pending";
}
