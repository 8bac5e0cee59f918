import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { maxNameLength } from "../data/nameQuery.js";
import { piecesOfText } from "../text/hiddenCharacters.js";
import { type CodePiece, linesOfCode } from "../text/highlight.js";

/** A text from the chain: never markup, and nothing in it hidden. */
export function Text({ of }: { readonly of: string }) {
  return piecesOfText(of).map((piece, index) =>
    piece.isStrange ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have nothing else
      <span key={index} className="t-strange">
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  );
}

/** Characters that are shown at first; a term may have millions. */
const firstCharacters = 20_000;

/** A program or a value of a chain, with colours and numbers of lines. */
export function Code({
  source,
  faultLines = [],
}: {
  readonly source: string;
  readonly faultLines?: readonly number[];
}) {
  const [shown, setShown] = useState(firstCharacters);
  const lines = linesOfCode(source.slice(0, shown));
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and so has to be reachable by keyboard */}
      <pre className="code" tabIndex={0}>
        {lines.map((pieces, index) => (
          <CodeLine
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
            key={index}
            number={index + 1}
            pieces={pieces}
            isFault={faultLines.includes(index + 1)}
          />
        ))}
      </pre>
      {shown < source.length && (
        <p className="more">
          <button type="button" className="button small" onClick={() => setShown(shown * 8)}>
            Load the rest ({(source.length - shown).toLocaleString("en")} more characters)
          </button>
        </p>
      )}
    </>
  );
}

function CodeLine({ number, pieces, isFault }: { number: number; pieces: readonly CodePiece[]; isFault: boolean }) {
  return (
    <span className={isFault ? "code-line fault" : "code-line"} data-line={number}>
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces have nothing else
        <span key={index} className={piece.kind && `t-${piece.kind}`}>
          <PieceOfCode of={piece} />
        </span>
      ))}
    </span>
  );
}

/** A URI leads to its contract, a public name to what lies there; all else is text. */
function PieceOfCode({ of: { text, kind, isName } }: { readonly of: CodePiece }) {
  const uri = kind === "place" ? /^`(rho:[\w:.-]{1,250})`$/.exec(text)?.[1] : undefined;
  if (uri !== undefined)
    return (
      <Link to="/explorer/contract/$uri" params={{ uri }}>
        <Text of={text} />
      </Link>
    );
  if (isName !== true || text.length > maxNameLength) return <Text of={text} />;
  return (
    <Link to="/explorer/state" search={{ by: "name", of: text }}>
      <Text of={text} />
    </Link>
  );
}

/** A value in a line or a few of them; what is long is opened on demand. */
export function Value({ text, most = 600 }: { readonly text: string; readonly most?: number }) {
  const [isWhole, setWhole] = useState(false);
  if (isWhole) return <Code source={text} />;
  return (
    <code>
      <Text of={text.slice(0, most)} />
      {text.length > most && (
        <>
          …{" "}
          <button type="button" className="button small" onClick={() => setWhole(true)}>
            Load the rest
          </button>
        </>
      )}
    </code>
  );
}
