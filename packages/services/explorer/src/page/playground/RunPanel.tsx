import { useQuery } from "@tanstack/react-query";
import { explorationLimits } from "@vedette/api";
import { useState } from "react";
import { node } from "../../data/node.js";
import { printTerm, type RenderedTerm } from "../../data/stateEntries.js";
import { Badge } from "../../part/Badge.js";
import { DescriptionList, Fact, Notice, QueryView } from "../../part/Card.js";
import { BlockHash } from "../../part/Hash.js";
import { Text, Value } from "../../part/Text.js";
import { Mark } from "../../part/VerifiedMark.js";
import { printWhole } from "../../text/numbers.js";
import type { OwnRun } from "../../verify/runMessages.js";
import { useFinding } from "../../verify/useVerification.js";
import { PrintLines } from "../deploy/Prints.js";
import { ReportedTrace } from "../deploy/TraceView.js";

/** A program, and where it is to be run; the same one again is another turn. */
export interface PlaygroundRun {
  readonly source: string;
  readonly block: string;
  readonly turn: number;
}

const ask = ({ source, block }: PlaygroundRun, trace: boolean, signal: AbortSignal) =>
  node.exploreWithin({ term: source, block, trace }, { signal });

/** Shows the result of running a program. */
export function RunPanel({ request }: { readonly request: PlaygroundRun | undefined }) {
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
      <QueryView query={query}>{(answer) => <Outcome answer={answer} request={request} />}</QueryView>
    </div>
  );
}

type Answer = Awaited<ReturnType<typeof ask>>;

/** The node's answer until this browser has its own, which is shown in its place. */
function Outcome({ answer, request }: { readonly answer: Answer; readonly request: PlaygroundRun }) {
  const { blockHash, blockNumber } = answer.block;
  const program = { source: request.source, blockHash, phloLimit: BigInt(explorationLimits.phlo.usual) };
  const check = useFinding({ of: answer, run: (verifier) => verifier.checkRun(program) });
  const { outcome, prints, arePrintsCut } = answer;
  const own = check.finding?.own;
  const shown = own ?? reportedRun(answer);
  return (
    <>
      <div className="card-body">
        <Mark of={check} />
      </div>
      {own !== undefined && <Difference answer={answer} own={own} />}
      {shown.results === undefined && (
        <div className="card-body">
          <Notice tone="bad">
            <strong>{outcome === "stopped" && own === undefined ? "It was stopped." : "It failed."}</strong>{" "}
            <Text of={shown.error ?? "Its time or its memory was used up."} />
          </Notice>
        </div>
      )}
      {shown.results?.length === 0 && (
        <p className="empty">
          It ran, and sent nothing on its first name. A program that is to answer begins with “new return in”.
        </p>
      )}
      <Results of={shown.results ?? []} />
      <DescriptionList>
        <Fact name="Cost">
          {shown.cost === null ? "–" : <span className="number">{printWhole(shown.cost)} phlo</span>}
        </Fact>
        <Fact name="On the state after">
          <span className="number">#{printWhole(blockNumber)}</span> <BlockHash of={blockHash} />
        </Fact>
        {own !== undefined && (
          <Fact name="Read of the state">
            <Pieces of={own.read} />
          </Fact>
        )}
      </DescriptionList>
      {prints.length > 0 && (
        <div className="card-body">
          <h3>Output {arePrintsCut && <Badge tone="wait">cut: there was more</Badge>}</h3>
          <PrintLines of={prints} />
        </div>
      )}
      {outcome !== "stopped" && <Trace key={request.turn} request={{ ...request, block: blockHash }} />}
    </>
  );
}

type ShownRun = Pick<OwnRun, "results" | "error"> & { readonly cost: bigint | null };

function reportedRun({ outcome, results, error, cost }: Answer): ShownRun {
  const texts = (results as readonly RenderedTerm[]).map(({ rholang }) => rholang);
  return { results: outcome === "values" ? texts : undefined, error: error ?? undefined, cost };
}

function Results({ of }: { readonly of: readonly (string | null)[] }) {
  return (
    <ul className="results" aria-label="Results">
      {of.map((rholang, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: results have nothing else
        <li key={index}>
          <Value text={printTerm({ rholang })} />
        </li>
      ))}
    </ul>
  );
}

/** Shows the node's result if it differs. Names that a program makes differ in each run. */
function Difference({ answer, own }: { readonly answer: Answer; readonly own: OwnRun }) {
  const reported = reportedRun(answer);
  if (answer.outcome === "stopped" || isSame(reported, own)) return null;
  const { results, error, cost } = reported;
  return (
    <div className="card-body">
      <Notice tone="wait">
        The node returned something else:{" "}
        <code>
          <Text of={results?.map((rholang) => printTerm({ rholang })).join(", ") || error || "nothing"} />
        </code>
        {cost !== null && ` for ${printWhole(cost)} phlo`}. Keys, time and new names differ from run to run. If the
        program uses none of them, the node is wrong. What follows is what it returned in this browser.
      </Notice>
    </div>
  );
}

function isSame(reported: ShownRun, own: OwnRun): boolean {
  const sorted = ({ results }: Pick<OwnRun, "results">) => JSON.stringify(results?.map(String).sort());
  return sorted(reported) === sorted(own) && reported.cost === own.cost;
}

/** Hashes that are shown. */
const maxShown = 200;

function Pieces({ of }: { readonly of: readonly string[] }) {
  return (
    <details>
      <summary>
        <span className="number">{printWhole(of.length)}</span> pieces
      </summary>
      <ul className="dots">
        {of.slice(0, maxShown).map((hash) => (
          <li key={hash} className="mono">
            {hash.slice(0, 16)}…
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The program once more, with its steps. */
function Trace({ request }: { readonly request: PlaygroundRun }) {
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
