import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { switchTimeForm, useTimeForm } from "../data/timeForm.js";
import { Icon } from "./Icon.js";

/** How a column sorts the rows. */
export interface ColumnSort {
  /** Where the rows are sorted by it, or in its other order. */
  readonly sort?: LinkProps | undefined;
  /** The order that the rows have by it. */
  readonly sorted?: "ascending" | "descending" | undefined;
}

/** The head of a column: a name, or its alignment and order. */
export type ColumnHead =
  | string
  | (ColumnSort & {
      readonly name: string;
      /** Amounts and counts. */
      readonly isRight?: boolean;
      /** Times, which are shown in either form. */
      readonly isTime?: boolean;
    });

interface TableProps {
  readonly head: readonly ColumnHead[];
  /** The rows. */
  readonly children: ReactNode;
}

/** A table as every page has it. Wide ones scroll by themselves; in narrow windows each row becomes a block of named values. */
export function Table({ head, children }: TableProps) {
  // The style sheet writes the names of columns, from variables, beside the values.
  const names = head.map((column, index) => [`--column-${index + 1}`, JSON.stringify(nameOf(column))]);
  return (
    <div className="table-wrap">
      <table style={Object.fromEntries(names)}>
        <thead>
          <tr>
            {head.map((column) => (
              <Head key={nameOf(column)} of={column} />
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function nameOf(column: ColumnHead): string {
  return typeof column === "string" ? column : column.name;
}

/** The name of a column of times is a button that shows them in the other form. */
function TimeHead({ name }: { readonly name: string }) {
  const label = useTimeForm() === "ago" ? "switch to dates" : "switch to ages";
  return (
    <button type="button" className="times" title={label} aria-label={`${name}: ${label}`} onClick={switchTimeForm}>
      {name} <Icon name="clock" size={13} />
    </button>
  );
}

function Head({ of }: { readonly of: ColumnHead }) {
  const { name, isRight, isTime, sort, sorted }: Exclude<ColumnHead, string> =
    typeof of === "string" ? { name: of } : of;
  if (isTime === true)
    return (
      <th>
        <TimeHead name={name} />
      </th>
    );
  const text = sorted === undefined ? name : `${name} ${sorted === "ascending" ? "↑" : "↓"}`;
  return (
    <th className={isRight === true ? "right" : undefined} aria-sort={sorted}>
      {sort === undefined ? text : <Link {...sort}>{text}</Link>}
    </th>
  );
}

interface SortedSearch {
  readonly sort?: string | undefined;
  readonly from?: number;
  readonly page?: number;
}

/**
 * Sorts a list by a column; the address of the page has the order.
 *
 * @param orders values of `sort` that the column has, each leading to the next; `undefined` is the order without one
 */
export function columnSort(
  to: LinkProps["to"],
  { sort, from: _from, page: _page, ...filter }: SortedSearch,
  orders: readonly (string | undefined)[],
): ColumnSort {
  const at = orders.indexOf(sort);
  const next = orders[(at + 1) % orders.length];
  const sorted = at < 0 ? undefined : sort === "oldest" ? "ascending" : "descending";
  if (sorted !== undefined && orders.length === 1) return { sorted };
  return { sort: { to, search: { ...filter, ...(next !== undefined && { sort: next }) } } as LinkProps, sorted };
}
