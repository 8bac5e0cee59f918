import { useEffect, useRef, useState } from "react";
import { isNodeThere } from "../data/missingParts.js";
import { reasonOf } from "../data/node.js";
import { useChain } from "../data/useChain.js";
import { Card, Notice, PageHead } from "../part/Card.js";

/** Instead of a page that failed: why, and a way on. It comes by itself when the node is back. */
export function PageError({ error }: { readonly error: unknown }) {
  const { connection } = useChain();
  const wasLost = useRef(false);
  const [isAsked, setAsked] = useState(false);
  const retry = async () => {
    setAsked(true);
    if (await isNodeThere()) location.reload();
    setAsked(false);
  };
  useEffect(() => {
    if (connection === "lost") wasLost.current = true;
    if (connection === "live" && wasLost.current) location.reload();
  }, [connection]);
  return (
    <>
      <PageHead title="This page did not load" />
      <Card>
        <div className="card-body stack">
          <Notice tone="bad">{reasonOf(error)}</Notice>
          <div className="buttons">
            <button type="button" className="button" disabled={isAsked} onClick={() => void retry()}>
              Retry
            </button>
          </div>
        </div>
      </Card>
    </>
  );
}
