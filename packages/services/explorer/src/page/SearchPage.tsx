import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { findHits } from "../data/findHits.js";
import { namedIn } from "../data/shapeOf.js";
import { NoHits } from "../frame/Search.js";
import { Card, Empty, PageHead, QueryView } from "../part/Card.js";
import { Text } from "../part/Text.js";

const route = getRouteApi("/explorer/search");

/** Shows the things that a text names on this node. */
export function SearchPage() {
  const { q = "" } = route.useSearch();
  const wanted = namedIn(q);
  const query = useQuery({
    queryKey: ["search", q],
    queryFn: ({ signal }) => findHits(wanted, signal),
    enabled: q !== "",
  });
  return (
    <>
      <PageHead title="Search" name={q === "" ? "Search" : `${q.slice(0, 40)} · Search`} />
      <Card title={<Text of={q === "" ? "Empty search" : q} />}>
        {q === "" ? (
          <Empty>
            The field above finds blocks by height or hash, deploys by id or by words of their programs, accounts by
            address or key, and URIs.
          </Empty>
        ) : (
          <QueryView query={query}>
            {(hits) =>
              hits.length === 0 ? (
                <div className="empty">
                  <NoHits asked={wanted} isPending={false} isFailed={false} />
                </div>
              ) : (
                <ul className="rows">
                  {hits.map(({ kind, label, to }) => (
                    <li key={JSON.stringify(to)}>
                      <span className="muted">{kind}</span>
                      <Link {...to} className="grow mono hash-link">
                        <Text of={label} />
                      </Link>
                    </li>
                  ))}
                </ul>
              )
            }
          </QueryView>
        )}
      </Card>
    </>
  );
}
