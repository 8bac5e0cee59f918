import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type ListStart, type Place, type RowOfBlock, startAfter, useIndexList } from "../data/useIndexList.js";
import { Card, Empty, QueryView } from "./Card.js";
import { LoadMoreButton } from "./LoadMoreButton.js";

interface IndexListProps<Row> {
  readonly title: string;
  /** The page of the list, and the values in its address. */
  readonly to: LinkProps["to"];
  readonly search: ListStart & object;
  /** Names the list, with its condition and its order. */
  readonly of: readonly unknown[];
  readonly isByHeight?: boolean;
  readonly isLive?: boolean;
  /** Why nothing can match. */
  readonly fault?: string | undefined;
  readonly empty: string;
  /** The controls of the list. */
  readonly aside?: ReactNode;
  readonly read: (place: Place & { readonly limit: number }, signal: AbortSignal) => Promise<readonly Row[]>;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** Rows of the index that fit a filter, page after page; each page has an address. */
export function IndexList<Row extends RowOfBlock>(props: IndexListProps<Row>) {
  const { title, to, search, isByHeight = true, fault, empty, aside, children } = props;
  const query = useIndexList({ ...props, ...startOf(search), key: props.of, isByHeight, isOff: fault !== undefined });
  if (fault !== undefined)
    return (
      <Card>
        <Empty>{fault}</Empty>
      </Card>
    );
  return (
    <Card title={title} aside={aside}>
      <QueryView query={query}>
        {({ pages }) => {
          const rows = pages.flat();
          if (rows.length === 0)
            return <Empty>{search.page === undefined ? empty : "The list ends before this page."}</Empty>;
          const { from: _from, page: _page, ...filter } = search;
          const next = { to, search: { ...filter, ...startAfter(rows, search, isByHeight) } } as LinkProps;
          return (
            <>
              {children(rows)}
              <LoadMoreButton query={query}>
                <Link {...next}>Link to next page</Link>
              </LoadMoreButton>
            </>
          );
        }}
      </QueryView>
    </Card>
  );
}

function startOf({ from, page }: ListStart): ListStart {
  return { ...(from !== undefined && { from }), ...(page !== undefined && { page }) };
}
