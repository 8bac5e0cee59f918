import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { findHits, type Hit } from "../data/findHits.js";
import { Icon } from "../part/Icon.js";
import { Text } from "../part/Text.js";

/** How long a reader has to stop typing before the node is asked. */
const restMs = 250;

/** Finds by what one has: a height, a hash, an id, an address, a key, a URI, words of a program. `/` comes here from everywhere. */
export function Search() {
  const [text, setText] = useState("");
  const [asked, setAsked] = useState("");
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLElement>(null);
  const navigate = useNavigate();
  const hits = useQuery({
    queryKey: ["search", asked],
    queryFn: ({ signal }) => findHits(asked, signal),
    enabled: asked !== "",
  });
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text.trim()), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // The editor lies in a tree of its own.
      const at = event.composedPath()[0] as HTMLElement;
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName) || at.isContentEditable;
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    const onPointer = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener("keydown", onKey);
    addEventListener("pointerdown", onPointer);
    return () => {
      removeEventListener("keydown", onKey);
      removeEventListener("pointerdown", onPointer);
    };
  }, []);
  const close = () => {
    setOpen(false);
    setText("");
    setAsked("");
    input.current?.blur();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = text.trim();
    if (wanted === "") return;
    // The best hit; where there is none the list says so, and why.
    const [first] = await findHits(wanted).catch((): Hit[] => []);
    if (first === undefined) {
      setAsked(wanted);
      return setOpen(true);
    }
    close();
    await navigate(first.to);
  };
  return (
    <search className="search" ref={box}>
      <form onSubmit={(event) => void submit(event)}>
        <Icon name="search" />
        <label className="hidden-label" htmlFor="search">
          Search
        </label>
        <input
          id="search"
          ref={input}
          value={text}
          placeholder="Block, deploy, account, words"
          autoComplete="off"
          spellCheck={false}
          maxLength={600}
          onFocus={() => setOpen(true)}
          onKeyDown={(event) => event.key === "Escape" && close()}
          onChange={(event) => {
            setText(event.target.value);
            setOpen(true);
          }}
        />
        <kbd>/</kbd>
      </form>
      {isOpen && asked !== "" && text !== "" && (
        <div className="search-hits" role="status">
          {hits.data?.map(({ kind, label, to }) => (
            <Link key={JSON.stringify(to)} {...to} onClick={close}>
              <span className="muted kind">{kind}</span>
              <span className="hash grow">
                <span className="mono">
                  <Text of={label} />
                </span>
              </span>
            </Link>
          ))}
          {hits.isPending && <p>Looking…</p>}
          {hits.data?.length === 0 && <p>Nothing on this node is called so.</p>}
          {hits.error && <p>The node could not be asked.</p>}
        </div>
      )}
    </search>
  );
}
