import { Link } from "@tanstack/react-router";
import { printWhole } from "../text/numbers.js";
import type { Finding, Lie, Trust } from "../verify/Finding.js";
import { type Check, type CheckState, useFinding } from "../verify/useVerification.js";
import type { Tone } from "./Badge.js";
import { BlockHash } from "./Hash.js";
import { Icon } from "./Icon.js";
import { Text } from "./Text.js";

/** Lower blocks are checked on a click: all blocks above them are fetched for it. */
export const maxAutomaticDepth = 32;

/** Shows whether this browser has verified the value beside it; on a click, the checks and their first block. */
export function VerifiedMark(check: Check<Finding>) {
  return <Mark of={useFinding(check)} />;
}

const marks: Readonly<Record<Finding["state"] | "off" | "running", { readonly tone: Tone; readonly text: string }>> = {
  verified: { tone: "good", text: "Verified in this browser" },
  content: { tone: "wait", text: "Content verified in this browser" },
  unclear: { tone: "plain", text: "As reported by the node" },
  off: { tone: "plain", text: "As reported by the node" },
  running: { tone: "plain", text: "Checking…" },
  wrong: { tone: "bad", text: "The node’s answer is false" },
};

/** {@link VerifiedMark} of a check that runs elsewhere. */
export function Mark({ of: { finding, state, runNow } }: { readonly of: CheckState }) {
  const { tone, text } = marks[finding?.state ?? (state === "done" ? "unclear" : state)];
  return (
    <details className="mark" open={finding?.state === "wrong"}>
      <summary title={titleOf(finding)}>
        <span className={`badge ${tone}`}>
          {(tone === "good" || tone === "wait") && <Icon name="shield" size={14} />}
          {text}
          {finding?.state === "wrong" && `: ${finding.lies.map(({ field }) => field).join(", ")}`}
        </span>
      </summary>
      <div
        className={`notice ${finding?.state === "wrong" ? "bad" : ""}`}
        role={finding?.state === "wrong" ? "alert" : undefined}
      >
        <div className="stack small-stack">
          {finding === undefined ? (
            <p>{state === "running" ? "This browser checks it now." : "This browser has not checked it."}</p>
          ) : (
            <Found finding={finding} />
          )}
          {state === "off" && (
            <button type="button" className="button small" onClick={runNow}>
              <Icon name="shield" /> Check it
            </button>
          )}
        </div>
      </div>
    </details>
  );
}

function titleOf(finding: Finding | undefined): string {
  if (finding === undefined) return "This browser has not checked it";
  return [...finding.lies.map(lieText), ...finding.checked, ...finding.left.map((text) => `Not checked: ${text}`)].join(
    "\n",
  );
}

function Found({ finding: { checked, left, lies, trust } }: { readonly finding: Finding }) {
  return (
    <>
      <Lies of={lies} />
      {checked.length > 0 && <List title="Checked" of={checked} />}
      {left.length > 0 && <List title="Not checked" of={left} />}
      {trust !== undefined && <TrustedFrom of={trust} />}
      <Link to="/explorer/verification">What this browser trusts</Link>
    </>
  );
}

function List({ title, of }: { readonly title: string; readonly of: readonly string[] }) {
  return (
    <div>
      <strong>{title}</strong>
      <ul className="dots">
        {of.map((text) => (
          <li key={text}>
            <Text of={text} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Each claim that evidence contradicts, with the evidence. */
export function Lies({ of }: { readonly of: readonly Lie[] }) {
  return of.map((lie) => (
    <p key={JSON.stringify(lie)}>
      <strong>
        <Text of={lie.field} />
      </strong>
      : the node reports{" "}
      <code>
        <Text of={lie.reported} />
      </code>
      ; evidence shows{" "}
      <code>
        <Text of={lie.shown} />
      </code>
      . Evidence: <Text of={lie.evidence} />.
    </p>
  ));
}

function lieText({ field, reported, shown, evidence }: Lie): string {
  return `${field}: the node reports ${reported}; evidence shows ${shown} (${evidence})`;
}

/** Where trust begins. */
function TrustedFrom({ of: { checkpoint, origin, since } }: { readonly of: Trust }) {
  const day = new Date(since).toISOString().slice(0, 10);
  return (
    <p className="muted">
      From {checkpoint.blockNumber === 0 ? "genesis" : `the checkpoint #${printWhole(checkpoint.blockNumber)}`}{" "}
      <BlockHash of={checkpoint.blockHash} hasCopy={false} />,{" "}
      {origin === "firstUse" ? `trusted on first use on ${day}` : `entered by you on ${day}`}.
    </p>
  );
}
