import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { type BlockSummary, briefOfBlock, newestFirst } from "../../data/BlockSummary.js";
import { node } from "../../data/node.js";
import { useChain } from "../../data/useChain.js";
import { useSettings } from "../../data/useSettings.js";
import { BlockTable } from "../../part/BlockTable.js";
import { Card, Loading, PageHead, QueryView } from "../../part/Card.js";
import { LoadMoreButton } from "../../part/LoadMoreButton.js";
import { printWhole } from "../../text/numbers.js";
import { BlockDownload, BlockFilter, blockSorts, FilteredBlocks } from "./FilteredBlocks.js";

/** Heights in one request; nodes allow 50 unless they are configured otherwise. */
const heights = 25;
const route = getRouteApi("/explorer/blocks");

/** All blocks, from a height downward; without one from the head, which moves. */
export function BlocksPage() {
  const search = route.useSearch();
  const { from, ...filter } = search;
  const isFiltered = Object.keys(filter).length > 0;
  const settings = useSettings();
  const { blocks } = useChain();
  const head = blocks[0]?.number;
  const start = from ?? head;
  return (
    <>
      <PageHead title="Blocks" about={isFiltered ? "The heads of columns sort the list." : aboutHeights(from)}>
        {(from !== undefined || search.page !== undefined) && (
          <Link className="button small" to="/explorer/blocks" search={{}}>
            To the head
          </Link>
        )}
      </PageHead>
      {settings?.hasIndex === true && <BlockFilter of={search} />}
      {isFiltered && settings?.hasIndex === true ? (
        <FilteredBlocks of={search} />
      ) : start === undefined ? (
        <Card>
          <Loading lines={8} />
        </Card>
      ) : (
        <BlockList
          key={from ?? "head"}
          {...{ start, isLive: from === undefined }}
          sorts={settings?.hasIndex === true ? blockSorts({}) : undefined}
        >
          {settings?.hasIndex === true && <BlockDownload of={{ from: start }} />}
        </BlockList>
      )}
    </>
  );
}

function aboutHeights(from: number | undefined): string {
  return from === undefined ? "Newest first. New blocks appear by themselves." : `From #${printWhole(from)} downward.`;
}

interface BlockListProps {
  readonly start: number;
  readonly isLive: boolean;
  readonly sorts: ReturnType<typeof blockSorts> | undefined;
  /** The controls of the list. */
  readonly children: ReactNode;
}

function BlockList({ start, isLive, sorts, children }: BlockListProps) {
  const { blocks: live } = useChain();
  const query = useInfiniteQuery({
    queryKey: ["blocks", isLive ? "head" : start],
    initialPageParam: start,
    queryFn: async ({ pageParam, signal }) => {
      const span = await node.blockSpan(Math.max(0, pageParam - heights + 1), pageParam, { signal });
      return span.map(briefOfBlock).sort(newestFirst);
    },
    getNextPageParam: (_page, _pages, last) => (last - heights < 0 ? undefined : last - heights),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Card title={isLive ? "The newest blocks" : `Blocks up to #${printWhole(start)}`} aside={children}>
      <QueryView query={query}>
        {({ pages, pageParams }) => (
          <>
            <BlockTable blocks={withNewer(pages.flat(), isLive ? live : [])} sorts={sorts} />
            <LoadMoreButton query={query}>
              <Link to="/explorer/blocks" search={{ from: Math.max(0, Number(pageParams.at(-1) ?? 0) - heights) }}>
                Link to next page
              </Link>
            </LoadMoreButton>
          </>
        )}
      </QueryView>
    </Card>
  );
}

/** Newer blocks come above the requested list. */
function withNewer(blocks: readonly BlockSummary[], live: readonly BlockSummary[]): BlockSummary[] {
  const least = blocks[0]?.number ?? 0;
  const newer = live.filter(({ number }) => number >= least);
  return [...new Map([...newer, ...blocks].map((block) => [block.hash, block])).values()].sort(newestFirst);
}
