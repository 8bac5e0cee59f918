import { Link } from "@tanstack/react-router";
import { useChain } from "../../data/useChain.js";
import { useFinality } from "../../data/useFinality.js";
import { hueOf } from "../../part/Identicon.js";
import { layOut } from "./layOut.js";

const columns = 20;
const step = { x: 60, y: 46 };
const size = { width: 40, height: 28 };
const pad = { x: 34, top: 18, bottom: 34 };

/** The newest heights as a drawing: a column each, and every validator on a lane of its own. */
export function DagStrip() {
  const { blocks } = useChain();
  const { placed, lanes, heights } = layOut(blocks, columns);
  const finalityOf = useFinality(placed.map(({ block }) => block));
  const width = pad.x * 2 + (columns - 1) * step.x;
  const height = pad.top + pad.bottom + Math.max(1, lanes) * step.y - (step.y - size.height);
  const at = (column: number, lane: number) => ({
    x: width - pad.x - column * step.x,
    y: pad.top + lane * step.y + size.height / 2,
  });
  return (
    <div className="table-wrap ribbon-wrap">
      <svg className="ribbon" viewBox={`0 0 ${width} ${height}`} aria-label="The newest blocks">
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
          return (
            <Link
              key={block.hash}
              to="/explorer/block/$hash"
              params={{ hash: block.hash }}
              aria-label={`Block ${block.number}, ${block.deployCount} deploys, ${state}`}
            >
              <g className={`block ${state}`}>
                <rect x={x - size.width / 2} y={y - size.height / 2} width={size.width} height={size.height} rx="8" />
                <circle cx={x - 10} cy={y} r="4" fill={`hsl(${hueOf(block.sender)} 65% 55%)`} />
                <text x={x + 6} y={y + 4}>
                  {block.deployCount > 99 ? "99+" : block.deployCount}
                </text>
              </g>
            </Link>
          );
        })}
        {heights.map(({ number, column }) => (
          <text key={number} className="axis" x={at(column, 0).x} y={height - 10}>
            {column % 2 === 0 ? number : ""}
          </text>
        ))}
      </svg>
    </div>
  );
}
