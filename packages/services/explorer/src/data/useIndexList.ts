import { useInfiniteQuery } from "@tanstack/react-query";

/** A row at a height. */
export interface RowOfBlock {
  readonly block_number: string;
}

/** Where a page begins: at the rows of a height, after the first ones of it, which are listed already. */
export interface Place {
  readonly from: number | undefined;
  readonly skip: number;
}

/** Where a list begins, from the page's address. */
export interface ListStart {
  /** Greatest height; the least one if the oldest rows come first. */
  readonly from?: number;
  /** Pages that are left out before the first row. */
  readonly page?: number;
}

interface ListQuestion<Row> extends ListStart {
  /** Names the list, with its condition and its order. */
  readonly key: readonly unknown[];
  /** Whether heights order the rows, so that later rows never shift a page. */
  readonly isByHeight: boolean;
  readonly read: (place: Place & { readonly limit: number }, signal: AbortSignal) => Promise<readonly Row[]>;
  /** Whether the page adds new rows itself. */
  readonly isLive?: boolean;
  readonly isOff?: boolean;
}

const atOnce = 50;
const pauseMs = 15_000;

/** Rows of the index, page after page. */
export function useIndexList<Row extends RowOfBlock>(question: ListQuestion<Row>) {
  const { key, isByHeight, read, from, page = 0, isLive, isOff } = question;
  const first: Place = { from, skip: page * atOnce };
  return useInfiniteQuery({
    queryKey: ["indexList", ...key, from, page],
    initialPageParam: first,
    queryFn: ({ pageParam, signal }) => read({ ...pageParam, limit: atOnce }, signal),
    getNextPageParam: (rows, pages, last) => {
      if (rows.length < atOnce) return undefined;
      return isByHeight ? placeAfter(pages.flat(), first) : { from, skip: last.skip + atOnce };
    },
    enabled: isOff !== true,
    retry: false,
    refetchInterval: ({ state }) => (isLive === true || (state.data?.pages.length ?? 0) > 1 ? false : pauseMs),
    ...(isLive === true && { staleTime: Number.POSITIVE_INFINITY }),
  });
}

/** Where rows go on after those that are known. @param first where the known ones begin */
export function placeAfter(rows: readonly RowOfBlock[], first: Place): Place {
  const last = rows.at(-1);
  if (last === undefined) return first;
  const from = Number(last.block_number);
  const ofLast = rows.filter(({ block_number: number }) => number === last.block_number).length;
  return { from, skip: ofLast + (from === first.from ? first.skip : 0) };
}

/** The address of the list after some rows; it may repeat rows of the last height, and leaves none out. */
export function startAfter(rows: readonly RowOfBlock[], { from, page = 0 }: ListStart, isByHeight: boolean): ListStart {
  if (!isByHeight) return { ...(from !== undefined && { from }), page: page + Math.ceil(rows.length / atOnce) };
  const next = placeAfter(rows, { from, skip: page * atOnce });
  const left = Math.floor(next.skip / atOnce);
  return { ...(next.from !== undefined && { from: next.from }), ...(left > 0 && { page: left }) };
}

/** The condition of the index for rows from a height on. */
export function fromHeight(from: number | undefined, isUpward: boolean): object[] {
  return from === undefined ? [] : [{ block_number: { [isUpward ? "_gte" : "_lte"]: String(from) } }];
}
