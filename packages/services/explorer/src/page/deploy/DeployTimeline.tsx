import { Link } from "@tanstack/react-router";
import type { DeployStatus } from "@vedette/client";
import { useChain } from "../../data/useChain.js";
import { printWhole } from "../../text/numbers.js";
import { deployTimelineSteps } from "./deployTimelineSteps.js";

/** The way of a deploy, step by step. */
export function DeployTimeline({ deployStatus }: { readonly deployStatus: DeployStatus }) {
  const { blocks, lastFinalized } = useChain();
  const steps = deployTimelineSteps(deployStatus, { head: blocks[0]?.number, finalized: lastFinalized?.number });
  return (
    <ol className="timeline" aria-label="What has become of it">
      {steps.map(({ state, title, about, block }) => (
        <li key={title} className={state}>
          <strong>{title}</strong>
          <span>
            {about}
            {block !== undefined && (
              <>
                {" "}
                <Link to="/explorer/block/$hash" params={{ hash: block.hash }}>
                  #{printWhole(block.number)}
                </Link>
              </>
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}
