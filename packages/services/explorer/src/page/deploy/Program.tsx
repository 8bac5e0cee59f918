import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Card } from "../../part/Card.js";
import { Copy } from "../../part/Hash.js";
import { Code } from "../../part/Text.js";
import { printWhole } from "../../text/numbers.js";
import { linkOf, maxShared } from "../playground/shareLink.js";

/** Longer programs are folded, to this many lines. */
const longestUnfolded = 40;
const foldedTo = 24;

interface ProgramProps {
  readonly term: string;
  readonly faultLines: readonly number[];
}

/** The program of a deploy; the playground takes it along. */
export function Program({ term, faultLines }: ProgramProps) {
  const [isWhole, setWhole] = useState(false);
  const lines = term.split("\n");
  // Failed lines stay visible.
  const isFolded = !isWhole && lines.length > longestUnfolded && faultLines.every((line) => line <= foldedTo);
  return (
    <Card
      title="Program"
      aside={
        <span className="buttons">
          {printWhole(term.length)} characters <Copy text={term} what="program" /> <Try source={term} />
        </span>
      }
    >
      <Code source={isFolded ? lines.slice(0, foldedTo).join("\n") : term} faultLines={faultLines} />
      {isFolded && (
        <p className="more">
          <button type="button" className="button small" onClick={() => setWhole(true)}>
            Show all {printWhole(lines.length)} lines
          </button>
        </p>
      )}
    </Card>
  );
}

function Try({ source }: { readonly source: string }) {
  const [fragment, setFragment] = useState<string>();
  useEffect(() => {
    let isWanted = source.length <= maxShared;
    if (isWanted) void linkOf(source).then((link) => isWanted && setFragment(link.slice(1)));
    return () => {
      isWanted = false;
    };
  }, [source]);
  if (fragment === undefined) return null;
  return (
    <Link to="/explorer/playground" hash={fragment}>
      Try it in the playground
    </Link>
  );
}
