import { useInfiniteQuery } from "@tanstack/react-query";
import type { TransfersPage } from "@vedette/client";
import type { ReactNode } from "react";
import { QueryView } from "../../part/Card.js";
import { LoadMoreButton } from "../../part/LoadMoreButton.js";
import { IndexNote } from "./IndexNote.js";

/** A page of what an account has; `next` is where the following one begins. */
interface ListPage {
  readonly next: string | null;
  readonly index: TransfersPage["index"];
}

/** The cursor of a page, and a signal that cancels its request. */
interface RequestedPage {
  readonly after?: string;
  readonly signal: AbortSignal;
}

interface AccountListProps<P extends ListPage, Item> {
  /** The name of the list, and the address of the account. */
  readonly of: readonly [what: string, address: string];
  readonly ask: (page: RequestedPage) => Promise<P>;
  readonly itemsOf: (page: P) => readonly Item[];
  readonly nothing: string;
  readonly children: (items: readonly Item[]) => ReactNode;
}

const pauseMs = 15_000;

/** Lists items of an account, the latest first, and loads more pages on demand. */
export function AccountList<P extends ListPage, Item>(props: AccountListProps<P, Item>) {
  const { of, ask, itemsOf, nothing, children } = props;
  const query = useInfiniteQuery({
    queryKey: of,
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => ask({ signal, ...(pageParam !== "" && { after: pageParam }) }),
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: pauseMs,
  });
  return (
    <QueryView query={query}>
      {({ pages }) => {
        const items = pages.flatMap(itemsOf);
        if (items.length === 0) return <p className="empty">{nothing}</p>;
        return (
          <>
            <IndexNote index={pages[0]?.index} />
            {children(items)}
            <LoadMoreButton query={query} />
          </>
        );
      }}
    </QueryView>
  );
}
