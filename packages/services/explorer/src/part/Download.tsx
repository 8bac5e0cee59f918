import { useState } from "react";
import { reasonOf } from "../data/node.js";

interface DownloadProps {
  readonly name: string;
  readonly what: string;
  /** Reads all of it. */
  readonly make: (signal: AbortSignal) => Promise<string>;
}

const longestMs = 60_000;

/** Makes a file of a list, and hands it to the browser. */
export function Download({ name, what, make }: DownloadProps) {
  const [state, setState] = useState<"ready" | "reading" | { readonly reason: string }>("ready");
  const start = async () => {
    setState("reading");
    try {
      hand(name, await make(AbortSignal.timeout(longestMs)));
      setState("ready");
    } catch (error) {
      setState({ reason: reasonOf(error) });
    }
  };
  return (
    <>
      <button
        type="button"
        className="button small"
        disabled={state === "reading"}
        aria-label={`Download ${what} as CSV`}
        onClick={() => void start()}
      >
        {state === "reading" ? "Reading…" : "CSV"}
      </button>
      {typeof state === "object" && <span role="alert">{state.reason}</span>}
    </>
  );
}

function hand(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
