import { useQuery } from "@tanstack/react-query";
import { node } from "../../data/node.js";
import { printTerm, readData } from "../../data/stateEntries.js";
import { Card } from "../../part/Card.js";
import { Value } from "../../part/Text.js";
import { EntriesMark } from "../state/EntriesMark.js";

/** Shows the data that a deploy sent to its own id, as `rho:rchain:deployId` lets it. */
export function DeployData({ deployId, blockHash }: { readonly deployId: string; readonly blockHash: string }) {
  const { data } = useQuery({
    queryKey: ["deployData", deployId, blockHash],
    queryFn: ({ signal }) =>
      readData(node, blockHash, { deployId: [deployId], bytes: true, proof: true, anchor: "block" }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined || data.count === 0) return null;
  const given = { by: "deployId", of: deployId } as const;
  return (
    <Card
      title="Deploy data"
      aside={
        <>
          {data.count > data.entries.length && `${data.count} entries, the first of them `}
          <EntriesMark kind="data" reported={data} blockHash={blockHash} given={given} />
        </>
      }
    >
      <ul className="rows">
        {data.entries.map(({ values }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have nothing else
          <li key={index}>
            <Value text={values.map(printTerm).join(", ")} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
