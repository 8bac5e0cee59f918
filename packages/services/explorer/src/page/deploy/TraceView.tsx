import type { Exploration } from "@vedette/client";
import { useState } from "react";
import { Badge } from "../../part/Badge.js";
import { Table } from "../../part/Table.js";
import { Value } from "../../part/Text.js";
import { printShare, printWhole } from "../../text/numbers.js";
import { phloBySourceLocation, placeOf } from "./phloBySourceLocation.js";

type Trace = Pick<NonNullable<Exploration["trace"]>, "steps" | "parsingPhlo" | "otherPhlo">;
type Step = Trace["steps"][number];

/** The number of steps before the "more" button. */
const shownAtOnce = 100;

/** Shows the cost of each place of a program, and each step with the data that were sent, awaited and received. */
export function ReportedTrace({ trace }: { readonly trace: Trace }) {
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
  const places = phloBySourceLocation(steps);
  const rows = [
    ...places.map(({ place, steps: count, phlo }) => ({ what: place, count: printWhole(count), phlo })),
    { what: "parsing", count: "", phlo: parsingPhlo },
    { what: "new, match and the rest", count: "", phlo: otherPhlo },
  ];
  const all = rows.reduce((sum, { phlo }) => sum + phlo, 0n);
  return (
    <Table
      head={[
        "Line and column",
        { name: "Steps", isRight: true },
        { name: "Phlo", isRight: true },
        { name: "Share", isRight: true },
      ]}
    >
      {rows.map(({ what, count, phlo }) => (
        <tr key={what}>
          <td className="number">{what}</td>
          <td className="right number">{count}</td>
          <td className="right number">{printWhole(phlo)}</td>
          <td className="right number">{all > 0n && phlo >= 0n ? printShare(phlo, all) : ""}</td>
        </tr>
      ))}
    </Table>
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
        {isPersistent && <Badge>persistent</Badge>} {isPeek && <Badge>peek</Badge>}{" "}
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
