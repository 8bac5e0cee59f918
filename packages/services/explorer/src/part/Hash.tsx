import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { addressOfAccount } from "../data/addressOfAccount.js";
import { shorten } from "../data/shorten.js";
import { useSettings } from "../data/useSettings.js";
import { plainText } from "../text/hiddenCharacters.js";
import { printWhole } from "../text/numbers.js";
import { Icon } from "./Icon.js";
import { Identicon } from "./Identicon.js";
import { Text } from "./Text.js";

/** Copies a text to the clipboard, and confirms it. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1_500);
  };
  const label = isDone ? "Copied" : `Copy ${what}`;
  return (
    <button
      type="button"
      className={isDone ? "copy done" : "copy"}
      aria-label={label}
      title={label}
      onClick={() => void copy().catch(() => setDone(false))}
    >
      <Icon name={isDone ? "done" : "copy"} size={14} />
    </button>
  );
}

interface HashProps {
  readonly of: string;
  /** All of it, over several lines where it must. */
  readonly isWhole?: boolean;
  readonly hasCopy?: boolean;
}

function frame(of: string, what: string, { isWhole = false, hasCopy = true }: Partial<HashProps>, inner: ReactNode) {
  return (
    <span className={isWhole ? "hash whole" : "hash"} title={isWhole ? undefined : of}>
      {inner}
      {hasCopy && <Copy text={of} what={what} />}
    </span>
  );
}

export function BlockHash({ of, ...props }: HashProps) {
  const link = (
    <Link to="/explorer/block/$hash" params={{ hash: of }}>
      {props.isWhole ? of : shorten(of)}
    </Link>
  );
  return frame(of, "block hash", props, link);
}

/** `#1,234`, with its block. */
export function BlockHeight({ hash, number }: { readonly hash: string; readonly number: number | bigint }) {
  return (
    <Link className="height" to="/explorer/block/$hash" params={{ hash }}>
      #{printWhole(number)}
    </Link>
  );
}

export function DeployId({ of, ...props }: HashProps) {
  const link = (
    <Link to="/explorer/deploy/$id" params={{ id: of }}>
      {/* All signatures begin alike. */}
      {props.isWhole ? of : shorten(of, 4, 10)}
    </Link>
  );
  return frame(of, "deploy id", props, link);
}

/** Returns the operator's label of an account; undefined if it has none. */
export function useLabel(of: string): string | undefined {
  return useSettings()?.labels.get(addressOfAccount(of));
}

function Label({ of }: { readonly of: string }) {
  const label = useLabel(of);
  if (label === undefined) return null;
  return (
    <span className="label" title="A name that the operator of this node has given">
      <Text of={label} />
    </span>
  );
}

/** An account by its address or its public key: either has the same picture and leads to the same page. */
export function Account({ of, ...props }: HashProps) {
  const what = /^0[0-9a-f]/.test(of) ? "public key" : "address";
  const address = addressOfAccount(of);
  const link = (
    <>
      <Identicon of={of} />
      <Link to="/explorer/account/$address" params={{ address }}>
        {props.isWhole ? of : shorten(of)}
      </Link>
      <Label of={of} />
    </>
  );
  return frame(of, what, props, link);
}

/** A validator by its public key, with what it did. */
export function Validator({ of, ...props }: HashProps) {
  const link = (
    <>
      <Identicon of={of} />
      <Link to="/explorer/validator/$key" params={{ key: of }}>
        {props.isWhole ? of : shorten(of)}
      </Link>
      <Label of={of} />
    </>
  );
  return frame(of, "public key", props, link);
}

/** A URI of the registry or of a system process, with its page where it is shortened; copied as programs write it. */
export function ContractUri({ of, ...props }: HashProps) {
  const link = props.isWhole ? (
    <span className="mono">
      <Text of={of} />
    </span>
  ) : (
    <Link to="/explorer/contract/$uri" params={{ uri: of }}>
      <Text of={of.length <= 40 ? of : shorten(of, 15, 8)} />
    </Link>
  );
  return (
    <span className={props.isWhole ? "hash whole" : "hash"} title={props.isWhole ? undefined : plainText(of)}>
      {link}
      {props.hasCopy !== false && <Copy text={`\`${of}\``} what="URI" />}
    </span>
  );
}

/** Bytes that lead nowhere: signatures, roots. */
export function Hex({ of, what, ...props }: HashProps & { readonly what: string }) {
  return frame(of, what, props, <span className="mono">{props.isWhole ? of : shorten(of)}</span>);
}
