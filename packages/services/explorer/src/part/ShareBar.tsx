import { printShare } from "../text/numbers.js";

/** A part of a whole, drawn and in percent. */
export function ShareBar({ part, all }: { readonly part: bigint; readonly all: bigint }) {
  const share = all === 0n ? 0 : Number((part * 1_000n) / all) / 10;
  return (
    <span className="share">
      <span className="bar">
        <span style={{ width: `${share}%` }} />
      </span>
      <span className="number">{printShare(part, all)}</span>
    </span>
  );
}
