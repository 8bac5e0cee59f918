import { useQuery } from "@tanstack/react-query";
import { traceDeployRoute } from "@vedette/api";
import { useState } from "react";
import { node } from "../../data/node.js";
import { Badge } from "../../part/Badge.js";
import { Asked, Card } from "../../part/Card.js";
import { Value } from "../../part/Text.js";
import { printShare, printWhole } from "../../text/numbers.js";
import { phloByPlace, placeOf } from "./phloByPlace.js";

interface TracedDeploy {
  readonly deployId: string;
  readonly blockHash: string;
}

function ask({ deployId, blockHash }: TracedDeploy, signal: AbortSignal) {
  return node.call(traceDeployRoute, { params: { id: deployId }, query: { block: blockHash } }, { signal });
}

type Trace = Awaited<ReturnType<typeof ask>>;
type Step = Trace["steps"][number];

/** Steps that are shown before one asks for more. */
const shownAtOnce = 100;

/** What a deploy did, step by step, and what each place of its program cost. The node replays it when it is asked. */
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
        <Asked query={query}>{(trace) => <Told trace={trace} />}</Asked>
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

function Told({ trace }: { readonly trace: Trace }) {
  const [shown, setShown] = useState(shownAtOnce);
  const { steps } = trace;
  return (
    <>
      <Costs trace={trace} />
      <ol className="trace">
        {steps.slice(0, shown).map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps stay where they are
          <li key={index}>
            <StepRow step={step} />
          </li>
        ))}
      </ol>
      {steps.length > shown && (
        <p className="card-body">
          <button type="button" className="button small" onClick={() => setShown(shown + 10 * shownAtOnce)}>
            {printWhole(steps.length - shown)} more steps
          </button>
        </p>
      )}
    </>
  );
}

function Costs({ trace: { steps, parsingPhlo, otherPhlo } }: { readonly trace: Trace }) {
  const places = phloByPlace(steps);
  const rows = [
    ...places.map(({ place, steps: count, phlo }) => ({ what: place, count: printWhole(count), phlo })),
    { what: "parsing", count: "", phlo: parsingPhlo },
    { what: "new, match and the rest", count: "", phlo: otherPhlo },
  ];
  const all = rows.reduce((sum, { phlo }) => sum + phlo, 0n);
  return (
    <div className="table-wrap">
      <table>
        <thead>
          <tr>
            <th>Line and column</th>
            <th className="right">Steps</th>
            <th className="right">Phlo</th>
            <th className="right">Share</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ what, count, phlo }) => (
            <tr key={what}>
              <td className="number">{what}</td>
              <td className="right number">{count}</td>
              <td className="right number">{printWhole(phlo)}</td>
              <td className="right number">{all > 0n && phlo >= 0n ? printShare(phlo, all) : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const words = { produce: "sends on", consume: "waits on", comm: "receives from" } as const;

/** A step; what was sent, waited for and met lies below it. */
function StepRow({ step }: { readonly step: Step }) {
  const { kind, source, phlo, channels, data, patterns, senders, receiver, isPersistent, isPeek } = step;
  return (
    <details>
      <summary>
        <span className="number muted">{placeOf(source)}</span> {words[kind]}{" "}
        <Value text={channels.join(" & ")} most={80} />
        {isPersistent && <Badge>stays</Badge>} {isPeek && <Badge>looks</Badge>}{" "}
        <span className="number muted">{printWhole(phlo)} phlo</span>
      </summary>
      <ul className="trace">
        {channels.map((channel, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two channels may be the same
          <li key={at}>
            <Value text={channel} />
            <ul className="trace">
              {(data[at] ?? []).length > 0 && (
                <li>
                  <span className="muted">data</span> <Value text={(data[at] ?? []).join(", ")} />
                </li>
              )}
              {(patterns[at] ?? []).length > 0 && (
                <li>
                  <span className="muted">pattern</span> <Value text={(patterns[at] ?? []).join(", ")} />
                </li>
              )}
              {senders[at] !== undefined && (
                <li className="muted">
                  sent by <span className="number">{placeOf(senders[at])}</span>
                  {receiver !== null && (
                    <>
                      , received by <span className="number">{placeOf(receiver)}</span>
                    </>
                  )}
                </li>
              )}
            </ul>
          </li>
        ))}
      </ul>
    </details>
  );
}
