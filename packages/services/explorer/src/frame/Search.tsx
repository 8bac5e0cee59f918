import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { findHits, type SearchResult } from "../data/findHits.js";
import { lookedForText, namedIn, shapeOf } from "../data/shapeOf.js";
import { useSettings } from "../data/useSettings.js";
import { Icon } from "../part/Icon.js";
import { Text } from "../part/Text.js";

/** The pause in typing after which the node is queried. */
const restMs = 250;

/** Finds by what one has: a height, a hash, an id, an address, a key, a URI, words of a program. `/` comes here from everywhere. */
export function Search() {
  const [text, setText] = useState("");
  const [asked, setRequested] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLElement>(null);
  const navigate = useNavigate();
  const hits = useQuery({
    queryKey: ["search", asked],
    queryFn: ({ signal }) => findHits(asked, signal),
    enabled: asked !== "",
  });
  useEffect(() => {
    const timer = setTimeout(() => setRequested(namedIn(text)), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  useFocusBySlash(input);
  useClosingOutside(box, () => setOpen(false));
  const close = () => {
    setOpen(false);
    setText("");
    setRequested("");
    input.current?.blur();
  };
  const typing = {
    onFocus: () => setOpen(true),
    onText: (typed: string) => {
      setText(typed);
      setChosen(0);
      setOpen(true);
    },
  };
  const isShown = isOpen && asked !== "" && text !== "";
  const list = isShown ? (hits.data ?? []) : [];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wanted = namedIn(text);
    if (wanted === "") return;
    // If there is no hit the list reports that, and why.
    const hit = await bestHit(wanted, wanted === asked ? { list, chosen } : { list: [], chosen: 0 });
    if (hit === undefined) {
      setRequested(wanted);
      return setOpen(true);
    }
    close();
    await navigate(hit.to);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") return close();
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || list.length === 0) return;
    event.preventDefault();
    setChosen((chosen + step + list.length) % list.length);
  };
  return (
    <search className="search" ref={box}>
      <form onSubmit={(event) => void submit(event)}>
        <Icon name="search" />
        <label className="hidden-label" htmlFor="search">
          Search
        </label>
        <SearchField
          field={input}
          text={text}
          chosen={list.length > 0 ? chosen : undefined}
          onKey={onKey}
          {...typing}
        />
        <kbd>/</kbd>
      </form>
      <Hits hits={list} chosen={chosen} onLeave={close} />
      {isShown && list.length === 0 && (
        <div className="search-hits" role="status">
          <NoHits asked={asked} isPending={hits.isPending} isFailed={hits.error !== null} />
        </div>
      )}
    </search>
  );
}

/** The chosen hit of a list, or the best one. */
async function bestHit(
  wanted: string,
  { list, chosen }: { readonly list: readonly SearchResult[]; readonly chosen: number },
): Promise<SearchResult | undefined> {
  const found = list.length > 0 ? list : await findHits(wanted).catch((): SearchResult[] => []);
  return found[chosen] ?? found[0];
}

interface SearchFieldProps {
  readonly field: React.RefObject<HTMLInputElement | null>;
  readonly text: string;
  /** The place of the chosen one among the shown hits; `undefined` if there are none. */
  readonly chosen: number | undefined;
  readonly onFocus: () => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onText: (text: string) => void;
}

function SearchField({ field, text, chosen, onFocus, onKey, onText }: SearchFieldProps) {
  return (
    <input
      id="search"
      ref={field}
      value={text}
      placeholder="Search the chain"
      autoComplete="off"
      spellCheck={false}
      maxLength={600}
      role="combobox"
      aria-autocomplete="list"
      aria-expanded={chosen !== undefined}
      aria-controls="search-hits"
      aria-activedescendant={chosen === undefined ? undefined : hitId(chosen)}
      onFocus={onFocus}
      onKeyDown={onKey}
      onChange={(event) => onText(event.target.value)}
    />
  );
}

const hitId = (index: number) => `search-hit-${index}`;

interface HitsProps {
  readonly hits: readonly SearchResult[];
  readonly chosen: number;
  readonly onLeave: () => void;
}

/** The hits, each with its kind; the arrow keys choose, from the field. */
function Hits({ hits, chosen, onLeave }: HitsProps) {
  return (
    <div id="search-hits" className="search-hits" role="listbox" aria-label="Found" hidden={hits.length === 0}>
      {hits.map(({ kind, label, to }, index) => (
        <Link
          key={JSON.stringify(to)}
          {...to}
          id={hitId(index)}
          role="option"
          aria-selected={index === chosen}
          onClick={onLeave}
        >
          <span className="muted kind">{kind}</span>
          <span className="hash grow">
            <span className="mono">
              <Text of={label} />
            </span>
          </span>
        </Link>
      ))}
    </div>
  );
}

interface NoHitsProps {
  readonly asked: string;
  readonly isPending: boolean;
  readonly isFailed: boolean;
}

/** Why there is no hit: what was looked for, and where. */
export function NoHits({ asked, isPending, isFailed }: NoHitsProps) {
  const settings = useSettings();
  if (isFailed) return <p>The node could not be asked.</p>;
  if (isPending || settings === undefined) return <p>Looking…</p>;
  return <p>{lookedForText(shapeOf(asked), settings.hasIndex)}</p>;
}

/** `/` comes to the field from everywhere but from where one types. */
function useFocusBySlash(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      // The editor lies in a tree of its own.
      const at = event.composedPath()[0] as HTMLElement;
      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName) || at.isContentEditable;
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [input]);
}

/** A click beside the box closes it. */
function useClosingOutside(box: React.RefObject<HTMLElement | null>, close: () => void): void {
  const closing = useRef(close);
  closing.current = close;
  useEffect(() => {
    const onPointer = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) closing.current();
    };
    addEventListener("pointerdown", onPointer);
    return () => removeEventListener("pointerdown", onPointer);
  }, [box]);
}
