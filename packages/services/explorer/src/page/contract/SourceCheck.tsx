import { useQuery } from "@tanstack/react-query";
import { contractSourceRoute, maxSourceLength } from "@vedette/api";
import { node } from "../../data/node.js";
import { Badge } from "../../part/Badge.js";
import { Fact } from "../../part/Card.js";
import { DeployId } from "../../part/Hash.js";
import { printWhole } from "../../text/numbers.js";
import { useRegistered } from "./useRegistered.js";

/** Whether the program that registered a contract is what waits at its name now, as the node compares them. */
export function SourceCheck({ uri, deployId }: { readonly uri: string; readonly deployId: string }) {
  const isContract = useRegistered(uri).data?.isName === true;
  const { data } = useQuery({
    enabled: isContract,
    queryKey: ["source", uri, deployId],
    queryFn: async ({ signal }) => {
      const { deploy } = await node.deployStatus(deployId, { signal });
      if (deploy.term.length > maxSourceLength) return null;
      return node.call(contractSourceRoute, { body: { uri, source: deploy.term } }, { signal });
    },
    staleTime: 60_000,
  });
  if (data === undefined || data?.verdict === "nothing") return null;
  return (
    <Fact name="Source">
      <span className="words">
        <Verdict of={data} /> <DeployId of={deployId} hasCopy={false} />
      </span>
    </Fact>
  );
}

interface Compared {
  readonly verdict: "verified" | "different" | "undecided" | "unreadable" | "nothing";
  readonly waiting: number;
  readonly equal: number;
}

function Verdict({ of }: { readonly of: Compared | null }) {
  if (of === null) return <span className="muted">too long to be compared: the program of</span>;
  const { verdict, waiting, equal } = of;
  const count = `${printWhole(equal)} of ${printWhole(waiting)} ${waiting === 1 ? "receive" : "receives"}`;
  if (verdict === "verified")
    return (
      <>
        <Badge tone="good">Verified</Badge>
        <span className="muted">{count} equal, normalized, to those of the program of</span>
      </>
    );
  if (verdict === "different")
    return (
      <>
        <Badge tone="bad">Different</Badge>
        <span className="muted">only {count} equal to those of the program of</span>
      </>
    );
  return <span className="muted">not decided by its text ({count} compared): the program of</span>;
}
