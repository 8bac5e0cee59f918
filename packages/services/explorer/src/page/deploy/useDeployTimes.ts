import { useQuery } from "@tanstack/react-query";
import type { DeployStatus } from "@vedette/client";
import { useEffect, useRef, useState } from "react";
import { node } from "../../data/node.js";
import { type DeployTimes, deployTimes } from "./deployTimes.js";

/** How long a deploy took; until it was final only while one looks. */
export function useDeployTimes({ status, deploy, blocks }: DeployStatus): DeployTimes {
  const hash = blocks[0]?.block.blockHash;
  const { data: blockMs } = useQuery({
    queryKey: ["blockTime", hash],
    queryFn: async ({ signal }) => Number((await node.block(hash!, { signal })).blockInfo.timestamp),
    enabled: hash !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const before = useRef(status);
  const [finalSeenMs, setFinalSeen] = useState<number>();
  useEffect(() => {
    if (before.current !== "finalized" && status === "finalized") setFinalSeen(Date.now());
    before.current = status;
  }, [status]);
  return deployTimes({ signedMs: Number(deploy.timestamp), blockMs, finalSeenMs });
}
