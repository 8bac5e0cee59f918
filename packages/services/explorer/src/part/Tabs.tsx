import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { printWhole } from "../text/numbers.js";

export interface Tab {
  readonly name: string;
  readonly count?: number;
  readonly content: ReactNode;
  /** Called when the tab is opened, to request costly content. */
  readonly onOpen?: () => void;
}

/** Several contents in one place; the arrow keys go from one to the next. */
export function Tabs({ tabs, label }: { readonly tabs: readonly Tab[]; readonly label: string }) {
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const choose = (index: number) => {
    tabs[index]?.onOpen?.();
    setChosen(index);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const next = (chosen + step + tabs.length) % tabs.length;
    choose(next);
    document.getElementById(`${id}-tab-${next}`)?.focus();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} onKeyDown={onKey}>
        {tabs.map(({ name, count }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-selected={index === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => choose(index)}
          >
            {name}
            {count !== undefined && <span className="muted number"> {printWhole(count)}</span>}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-tab-${chosen}`}>
        {tabs[chosen]?.content}
      </div>
    </>
  );
}
