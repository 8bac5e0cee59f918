import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { node } from "../../data/node.js";
import { printTerm, type RenderedTerm } from "../../data/stateEntries.js";
import { Badge } from "../../part/Badge.js";
import { DescriptionList, Fact, Notice, QueryView } from "../../part/Card.js";
import { BlockHash } from "../../part/Hash.js";
import { Text, Value } from "../../part/Text.js";
import { printWhole } from "../../text/numbers.js";
import { PrintLines } from "../deploy/Prints.js";
import { ReportedTrace } from "../deploy/TraceView.js";

/** A program, and where it is to be run; the same one again is another turn. */
export interface RunRequest {
  readonly source: string;
  readonly block: string;
  readonly turn: number;
}

const ask = ({ source, block }: RunRequest, trace: boolean, signal: AbortSignal) =>
  node.exploreWithin({ term: source, block, trace }, { signal });

/** What came of running a program. */
export function RunPanel({ request }: { readonly request: RunRequest | undefined }) {
  const query = useQuery({
    queryKey: ["run", request?.source, request?.block, request?.turn],
    queryFn: ({ signal }) => ask(request!, false, signal),
    enabled: request !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (request === undefined)
    return <p className="empty">Not run yet. What the program sends on its first name appears here.</p>;
  return (
    <div className="outcome">
      <QueryView query={query}>
        {({ outcome, results, error, cost, block, prints, arePrintsCut }) => (
          <>
            {outcome !== "values" && (
              <div className="card-body">
                <Notice tone="bad">
                  <strong>{outcome === "stopped" ? "It was stopped." : "It failed."}</strong>{" "}
                  <Text of={error ?? "Its time or its memory was used up."} />
                </Notice>
              </div>
            )}
            {outcome === "values" && results.length === 0 && (
              <p className="empty">
                It ran, and sent nothing on its first name. A program that is to answer begins with “new return in”.
              </p>
            )}
            <ul className="results" aria-label="Results">
              {(results as readonly RenderedTerm[]).map((term, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: results have nothing else
                <li key={index}>
                  <Value text={printTerm(term)} />
                </li>
              ))}
            </ul>
            <DescriptionList>
              <Fact name="Cost">{cost === null ? "–" : <span className="number">{printWhole(cost)} phlo</span>}</Fact>
              <Fact name="On the state after">
                <span className="number">#{printWhole(block.blockNumber)}</span> <BlockHash of={block.blockHash} />
              </Fact>
            </DescriptionList>
            {prints.length > 0 && (
              <div className="card-body">
                <h3>Output {arePrintsCut && <Badge tone="wait">cut: there was more</Badge>}</h3>
                <PrintLines of={prints} />
              </div>
            )}
            {outcome !== "stopped" && <Trace key={request.turn} request={{ ...request, block: block.blockHash }} />}
          </>
        )}
      </QueryView>
    </div>
  );
}

/** The program once more, with its steps. */
function Trace({ request }: { readonly request: RunRequest }) {
  const [isWanted, setWanted] = useState(false);
  const query = useQuery({
    queryKey: ["runTrace", request.source, request.block, request.turn],
    queryFn: ({ signal }) => ask(request, true, signal),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!isWanted)
    return (
      <p className="card-body">
        <button type="button" className="button small" onClick={() => setWanted(true)}>
          Trace it step by step
        </button>
      </p>
    );
  return (
    <QueryView query={query}>
      {({ trace }) =>
        trace === null ? (
          <p className="card-body muted">It was stopped this time, so that its steps are not known.</p>
        ) : (
          <>
            {trace.isCut && (
              <p className="card-body">
                <Badge tone="wait">cut: there was more</Badge>
              </p>
            )}
            <ReportedTrace trace={trace} />
          </>
        )
      }
    </QueryView>
  );
}
