import { getRouteApi, Link } from "@tanstack/react-router";
import { useFinality } from "../../data/useFinality.js";
import { useHeights } from "../../data/useHeights.js";
import { Card, PageHead, QueryView } from "../../part/Card.js";
import { DagCanvas } from "./DagCanvas.js";

const heights = 100;
const route = getRouteApi("/explorer/dag");

/** Draws the blocks with their parents: the newest hundred heights, or those up to one. */
export function DagPage() {
  const { to } = route.useSearch();
  const { blocks, isReady, error, refetch } = useHeights(heights, to);
  const finalityOf = useFinality(blocks);
  const top = blocks[0]?.number ?? 0;
  return (
    <>
      <PageHead
        title="DAG"
        about="Each block at its height, in the lane of its validator. Lines lead to its parents; strong lines are the finalized path. Drag to move, zoom with the wheel, click a block to open it."
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
        <QueryView query={{ data: isReady && blocks.length > 0 ? blocks : undefined, error, refetch }}>
          {(all) => <DagCanvas blocks={all} finalityOf={finalityOf} />}
        </QueryView>
      </Card>
    </>
  );
}
