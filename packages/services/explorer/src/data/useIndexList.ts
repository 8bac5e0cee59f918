import { useInfiniteQuery } from "@tanstack/react-query";
import { queryIndex } from "./queryIndex.js";

/** A row at a height. */
export interface RowOfBlock {
  readonly block_number: string;
}

/** Where a page begins: at the rows of a height, after the first ones of it, which are listed already. */
interface Place {
  readonly from: number | undefined;
  readonly skip: number;
}

interface ListQuestion<Row> {
  readonly name: string;
  /** Takes `$from: bigint!`, `$skip: Int!`, `$limit: Int!`; its rows come by `block_number`, the highest first. */
  readonly document: string;
  /** The greatest height; `undefined` for the newest. */
  readonly from: number | undefined;
  readonly rowsOf: (data: never) => readonly Row[];
}

const atOnce = 50;
/** Beyond every height. */
const top = "9223372036854775807";

/** Rows of the index from a height downward, page after page; what comes meanwhile shifts nothing. */
export function useIndexList<Row extends RowOfBlock>({ name, document, from, rowsOf }: ListQuestion<Row>) {
  return useInfiniteQuery({
    queryKey: ["indexList", name, from],
    initialPageParam: { from, skip: 0 } as Place,
    queryFn: async ({ pageParam, signal }) => {
      const variables = { from: String(pageParam.from ?? top), skip: pageParam.skip, limit: atOnce };
      return rowsOf((await queryIndex(document, variables, signal)) as never);
    },
    getNextPageParam: (page, pages) => (page.length < atOnce ? undefined : placeAfter(pages.flat())),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Where rows go on after those that are known. */
export function placeAfter(rows: readonly RowOfBlock[]): Place {
  const last = rows.at(-1);
  if (last === undefined) return { from: undefined, skip: 0 };
  const ofLast = rows.filter(({ block_number: number }) => number === last.block_number);
  return { from: Number(last.block_number), skip: ofLast.length };
}
