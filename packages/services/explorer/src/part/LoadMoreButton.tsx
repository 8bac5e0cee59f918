import { type ReactNode, useEffect, useRef } from "react";

interface MoreProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
  readonly children?: ReactNode;
}

/** The end of a list that goes on when one comes there. */
export function LoadMoreButton({ query: { hasNextPage, isFetchingNextPage, fetchNextPage }, children }: MoreProps) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || end.current === null) return;
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && void fetchNextPage(), {
      rootMargin: "400px",
    });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div className="more" ref={end}>
      <div className="buttons" style={{ justifyContent: "center" }}>
        <button
          type="button"
          className="button small"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? "Loading…" : "More"}
        </button>
        {children}
      </div>
    </div>
  );
}
