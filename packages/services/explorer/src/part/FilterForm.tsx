import { Link, type LinkProps, useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";

/** A part of a filter, by its name in the address of the page. */
export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly kind?: "text" | "amount" | "date";
  /** Values and their words, instead of what one writes. */
  readonly choices?: readonly (readonly [value: string, word: string])[];
  readonly placeholder?: string;
  readonly isWide?: boolean;
}

interface FilterFormProps {
  readonly to: LinkProps["to"];
  readonly fields: readonly FilterField[];
  /** The values in the page's address; members without a field stay. */
  readonly of: Readonly<Record<string, string | undefined>>;
}

/** Chooses the rows of a list by values in the page's address, so that the address can be shared. */
export function FilterForm({ to, fields, of }: FilterFormProps) {
  const navigate = useNavigate();
  const names = new Set(fields.map(({ name }) => name));
  const kept = Object.fromEntries(
    Object.entries(of).filter(([name, value]) => !names.has(name) && value !== undefined),
  );
  const choose = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    // Empty fields are left out of the address.
    const filled = [...names].flatMap((name) => {
      const text = String(form.get(name) ?? "").trim();
      return text === "" ? [] : [[name, text]];
    });
    void navigate({ to, search: { ...kept, ...Object.fromEntries(filled) } } as LinkProps);
  };
  return (
    <form className="card-body filter" key={JSON.stringify(of)} onSubmit={choose}>
      {fields.map((field) => (
        <label
          key={field.name}
          htmlFor={`filter-${field.name}`}
          className={field.isWide === true ? "field wide" : "field"}
        >
          {field.label}
          <Input field={field} value={of[field.name] ?? ""} />
        </label>
      ))}
      <span className="buttons">
        <button type="submit" className="button">
          Show
        </button>
        <Link className="button" {...({ to, search: {} } as LinkProps)}>
          All
        </Link>
      </span>
    </form>
  );
}

function Input({
  field: { name, kind = "text", choices, placeholder },
  value,
}: {
  readonly field: FilterField;
  readonly value: string;
}) {
  if (choices === undefined)
    return (
      <input
        id={`filter-${name}`}
        name={name}
        defaultValue={value}
        type={kind === "date" ? "date" : "text"}
        inputMode={kind === "amount" ? "decimal" : undefined}
        placeholder={placeholder}
        spellCheck={false}
      />
    );
  return (
    <select id={`filter-${name}`} name={name} defaultValue={value}>
      <option value="">Any</option>
      {choices.map(([choice, word]) => (
        <option key={choice} value={choice}>
          {word}
        </option>
      ))}
    </select>
  );
}

/** From which day to which, both included; as the address of a page has it. */
export interface DaySearch {
  /** `2026-03-01`. */
  readonly since?: string;
  readonly until?: string;
}

export const dayFields: readonly FilterField[] = [
  { name: "since", label: "From day", kind: "date" },
  { name: "until", label: "To day", kind: "date" },
];
