import { Link } from "@tanstack/react-router";
import { blockStateTexts } from "@vedette/client";
import type { BlockSummary } from "../../data/BlockSummary.js";
import { shorten } from "../../data/shorten.js";
import { useChain } from "../../data/useChain.js";
import { useFinality } from "../../data/useFinality.js";
import { hueOf } from "../../part/Identicon.js";
import { printDeployCount, printWhole } from "../../text/numbers.js";
import { layOut } from "./layOut.js";

const columns = 20;
const step = { x: 60, y: 46 };
const size = { width: 40, height: 28 };
/** The names of the blocks' validators are beside the lanes. */
const pad = { x: 34, left: 128, top: 18, bottom: 34 };

interface DagStripProps {
  /** The newest first. */
  readonly blocks: readonly BlockSummary[];
  /** The block that the page is about. */
  readonly chosen?: string;
}

/** Heights as a drawing: a column each, and every validator on a lane of its own. */
export function DagStrip({ blocks, chosen }: DagStripProps) {
  const { placed, lanes, heights, owners } = layOut(blocks, columns);
  const failedIn = useFailedDeploys();
  const finalityOf = useFinality(placed.map(({ block }) => block));
  const width = pad.left + pad.x + (columns - 1) * step.x;
  const height = pad.top + pad.bottom + Math.max(1, lanes) * step.y - (step.y - size.height);
  const at = (column: number, lane: number) => ({
    x: width - pad.x - column * step.x,
    y: pad.top + lane * step.y + size.height / 2,
  });
  return (
    <div className="table-wrap ribbon-wrap">
      <svg className="ribbon" viewBox={`0 0 ${width} ${height}`} aria-label="Blocks and what they build on">
        {owners.map((sender, lane) => (
          <Link
            key={sender}
            to="/explorer/validator/$key"
            params={{ key: sender }}
            aria-label={`Validator ${shorten(sender, 4, 4)}`}
          >
            <circle cx={14} cy={at(0, lane).y} r="4" fill={`hsl(${hueOf(sender)} 65% 55%)`} />
            <text className="owner" x={26} y={at(0, lane).y + 4}>
              {shorten(sender, 4, 4)}
            </text>
          </Link>
        ))}
        {placed.flatMap(({ block, column, lane }) =>
          block.parents.map((hash) => {
            const parent = placed.find((one) => one.block.hash === hash);
            if (parent === undefined) return null;
            const [from, to] = [at(column, lane), at(parent.column, parent.lane)];
            const bend = (from.x - to.x) / 2;
            const isMain = finalityOf(block) === "finalized" && block.parents[0] === hash;
            return (
              <path
                key={block.hash + hash}
                className={isMain ? "edge main" : "edge"}
                d={`M${from.x - size.width / 2} ${from.y}C${from.x - bend} ${from.y} ${to.x + bend} ${to.y} ${to.x + size.width / 2} ${to.y}`}
              />
            );
          }),
        )}
        {placed.map(({ block, column, lane }) => {
          const { x, y } = at(column, lane);
          const state = finalityOf(block);
          const failed = failedIn.get(block.hash) ?? 0;
          const rejected = block.rejectedCount ?? 0;
          return (
            <Link
              key={block.hash}
              to="/explorer/block/$hash"
              params={{ hash: block.hash }}
              aria-label={`Block ${block.number}, ${printDeployCount(block.deployCount)}, ${blockStateTexts[state].word}${failed > 0 ? `, ${failed} failed` : ""}${rejected > 0 ? `, ${rejected} rejected in merge` : ""}`}
            >
              <g className={`block ${state}${block.hash === chosen ? " chosen" : ""}`}>
                <rect x={x - size.width / 2} y={y - size.height / 2} width={size.width} height={size.height} rx="8" />
                <circle cx={x - 10} cy={y} r="4" fill={`hsl(${hueOf(block.sender)} 65% 55%)`} />
                <text x={x + 6} y={y + 4}>
                  {block.deployCount > 99 ? "99+" : block.deployCount}
                </text>
                {failed > 0 && <circle className="failed" cx={x + size.width / 2} cy={y - size.height / 2} r="5" />}
                {rejected > 0 && (
                  <g className="rejected">
                    <circle cx={x - size.width / 2} cy={y - size.height / 2} r="8" />
                    <text x={x - size.width / 2} y={y - size.height / 2 + 4}>
                      {rejected > 9 ? "9+" : rejected}
                    </text>
                  </g>
                )}
              </g>
            </Link>
          );
        })}
        {heights.map(({ number, column }) => (
          <text key={number} className="axis" x={at(column, 0).x} y={height - 10}>
            {column % 2 === 0 ? printWhole(number) : ""}
          </text>
        ))}
      </svg>
    </div>
  );
}

/** Deploys of each block that failed, as far as the page has seen them. */
function useFailedDeploys(): ReadonlyMap<string, number> {
  const { deploys } = useChain();
  const found = new Map<string, number>();
  for (const { blockHash, errored } of deploys) if (errored) found.set(blockHash, (found.get(blockHash) ?? 0) + 1);
  return found;
}

/** The meaning of the marks of {@link DagStrip}. */
export function DagLegend() {
  return (
    <span className="legend">
      <span>
        <i className="finalized" />
        finalized
      </span>
      <span>
        <i />
        proposed
      </span>
      <span>
        <i className="forkedAway" />
        orphaned
      </span>
      <span>
        <i className="failed" />
        failed deploy
      </span>
      <span>
        <i className="rejected" />
        rejected in merge
      </span>
    </span>
  );
}
