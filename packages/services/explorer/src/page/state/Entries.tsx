import { type Continuation, printTerm, type WaitingDatum } from "../../data/stateEntries.js";
import { Badge } from "../../part/Badge.js";
import { Code, Value } from "../../part/Text.js";

/** Shows sent data. */
export function Data({ entries, count }: { readonly entries: readonly WaitingDatum[]; readonly count: number }) {
  if (count === 0) return <p className="empty">No data.</p>;
  return (
    <ul className="rows">
      {entries.map(({ values, isPersistent }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have nothing else
        <li key={index}>
          <div className="grow">
            <Value text={values.map(printTerm).join(", ")} />
          </div>
          {isPersistent && <Badge>persistent</Badge>}
        </li>
      ))}
      <Rest shown={entries.length} count={count} />
    </ul>
  );
}

/** Shows waiting continuations: the messages that they take, and their bodies. */
export function Continuations({
  entries,
  count,
}: {
  readonly entries: readonly Continuation[];
  readonly count: number;
}) {
  if (count === 0) return <p className="empty">No waiting receives.</p>;
  return (
    <ul>
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have nothing else
        <li key={index}>
          <details>
            <summary>
              <code>{signatureOf(entry)}</code> {entry.isPersistent && <Badge>persistent</Badge>}
            </summary>
            <Code source={entry.body === null ? "// a process of the system itself" : printTerm(entry.body)} />
          </details>
        </li>
      ))}
      <Rest shown={entries.length} count={count} />
    </ul>
  );
}

function Rest({ shown, count }: { readonly shown: number; readonly count: number }) {
  return shown < count ? <li className="muted card-body">and {count - shown} more</li> : null;
}

/** Returns the message that a receive takes: `("transfer", _, _)`; a name that it binds is shown by its number. */
export function signatureOf({ binds }: Continuation): string {
  const bind = ({ patterns, hasRemainder }: Continuation["binds"][number]) =>
    `(${[...patterns.map((pattern) => patternText(printTerm(pattern))), ...(hasRemainder ? ["…"] : [])].join(", ")})`;
  return binds.map(bind).join(" & ");
}

/** Bound names have lost their names: `a`, `b`, … replace them. */
function patternText(text: string): string {
  return text.replaceAll(/\bfree(\d+)\b/g, (_all, index: string) => String.fromCharCode(97 + (Number(index) % 26)));
}
