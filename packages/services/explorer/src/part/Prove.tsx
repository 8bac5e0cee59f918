import { useState } from "react";
import { reasonOf } from "../data/node.js";
import { Icon } from "./Icon.js";

type Check = { readonly state: "none" | "asked" } | { readonly state: "proven" | "refused"; readonly words: string };

/** A button that checks a proof in the browser, and its result. @param check returns what was proven, in words */
export function Prove({ check }: { readonly check: () => Promise<string> }) {
  const [result, setResult] = useState<Check>({ state: "none" });
  const prove = async () => {
    setResult({ state: "asked" });
    try {
      setResult({ state: "proven", words: await check() });
    } catch (error) {
      setResult({ state: "refused", words: reasonOf(error) });
    }
  };
  if (result.state === "proven")
    return (
      <span className="badge good" role="status">
        <Icon name="done" size={14} /> Proven: {result.words}
      </span>
    );
  return (
    <span className="buttons">
      {result.state === "refused" && (
        <span className="badge bad" role="alert">
          Not proven: {result.words}
        </span>
      )}
      <button type="button" className="button small" disabled={result.state === "asked"} onClick={() => void prove()}>
        <Icon name="shield" /> {result.state === "asked" ? "Checking…" : "Prove it"}
      </button>
    </span>
  );
}
