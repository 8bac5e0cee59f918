import { getRouteApi, Link } from "@tanstack/react-router";
import { finalizedAmong } from "../../data/BlockBrief.js";
import { useChain } from "../../data/useChain.js";
import { useHeights } from "../../data/useHeights.js";
import { Asked, Card, PageHead } from "../../part/Card.js";
import { DagCanvas } from "./DagCanvas.js";

const heights = 100;
const route = getRouteApi("/explorer/dag");

/** What builds on what: the newest hundred heights, or those up to one. */
export function DagPage() {
  const { to } = route.useSearch();
  const { lastFinalized, forkedAway } = useChain();
  const { blocks, isReady, error, refetch } = useHeights(heights, to);
  const finalized = finalizedAmong(blocks, lastFinalized?.hash);
  // Of a part that lies below, all that the last finalized block builds on cannot be told from here; what was forked away can.
  const isBelow = to !== undefined && to < (lastFinalized?.number ?? 0);
  const top = blocks[0]?.number ?? 0;
  return (
    <>
      <PageHead
        title="DAG"
        about="Every block stands at its height, on the lane of the validator that made it; lines lead to its parents, the strong ones are the finalized path. Drag to move, use the wheel to zoom, click a block to open it."
      >
        <span className="buttons">
          {top >= heights && (
            <Link className="button small" to="/explorer/dag" search={{ to: top - heights }}>
              ← Older
            </Link>
          )}
          {to !== undefined && (
            <Link className="button small" to="/explorer/dag" search={{}}>
              To the head
            </Link>
          )}
        </span>
      </PageHead>
      <Card>
        <Asked query={{ data: isReady && blocks.length > 0 ? blocks : undefined, error, refetch }}>
          {(all) => (
            <DagCanvas
              blocks={all}
              finalityOf={({ hash }) =>
                forkedAway.has(hash) ? "forkedAway" : isBelow || finalized.has(hash) ? "finalized" : "pending"
              }
            />
          )}
        </Asked>
      </Card>
    </>
  );
}
