import { useQuery } from "@tanstack/react-query";
import { traceDeployRoute } from "@vedette/api";
import { useState } from "react";
import { node } from "../../data/node.js";
import { Badge } from "../../part/Badge.js";
import { Card, QueryView } from "../../part/Card.js";
import { ReportedTrace } from "./TraceView.js";

interface TracedDeploy {
  readonly deployId: string;
  readonly blockHash: string;
}

function ask({ deployId, blockHash }: TracedDeploy, signal: AbortSignal) {
  return node.call(traceDeployRoute, { params: { id: deployId }, query: { block: blockHash } }, { signal });
}

/** Shows the steps of a deploy, and the cost of each place of its program. The node replays it on request. */
export function TraceCard(traced: TracedDeploy) {
  const [isWanted, setWanted] = useState(false);
  const query = useQuery({
    queryKey: ["trace", traced.deployId, traced.blockHash],
    queryFn: ({ signal }) => ask(traced, signal),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return (
    <Card title="Trace" aside={query.data?.isCut === true ? <Badge tone="wait">cut: there was more</Badge> : undefined}>
      {isWanted ? (
        <QueryView query={query}>{(trace) => <ReportedTrace trace={trace} />}</QueryView>
      ) : (
        <p className="card-body">
          <button type="button" className="button small" onClick={() => setWanted(true)}>
            Replay it step by step
          </button>
        </p>
      )}
    </Card>
  );
}
