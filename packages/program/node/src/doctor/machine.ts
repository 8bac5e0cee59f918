import { readFileSync } from "node:fs";
import type { Config } from "@vedette/config";
import { checkPorts, PortsInUseError, wantedPorts } from "../machine/checkPorts.js";
import { bad, type Diagnosis, good, warningDiagnosis } from "./Diagnosis.js";

/** Files, stores, threads, connections to peers. */
const otherFiles = 512;

/** Whether as many files may be open as the connections that are allowed need. @param limits as `/proc/self/limits` */
export function examineOpenFiles(config: Config, limits = ownLimits()): Diagnosis {
  const about = "Open files";
  const found = /^Max open files\s+\S+\s+(\S+)/m.exec(limits ?? "");
  if (found === null) return good(about, "this system does not report its limit.");
  const most = found[1] === "unlimited" ? Number.POSITIVE_INFINITY : Number(found[1]);
  // Two HTTP servers and two gRPC servers.
  const wanted =
    otherFiles + 2 * (config["api-server.limits.connections"] + config["api-server.limits.grpc-connections"]);
  const advice = "Raise it (LimitNOFILE= of the service, ulimit -n), or lower api-server.limits.connections.";
  if (most < otherFiles) return bad(about, `${most} may be open; a node alone needs ${otherFiles}.`, advice);
  if (most < wanted)
    return warningDiagnosis(about, `${most} may be open; all connections that are allowed need ${wanted}.`, advice);
  return good(about, `${most} may be open, ${wanted} are needed at most.`);
}

function ownLimits(): string | undefined {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return undefined;
  }
}

/** Whether the ports of a node are free. @param isRunning whether the node itself may have them */
export async function examinePorts(config: Config, isRunning: boolean): Promise<Diagnosis> {
  const wanted = wantedPorts(config);
  const numbers = wanted.map(({ port }) => port).join(", ");
  if (isRunning) return good("Ports", `${numbers} are those of the node that runs.`);
  try {
    await checkPorts(wanted);
    return good("Ports", `${numbers} are free.`);
  } catch (error) {
    if (!(error instanceof PortsInUseError)) throw error;
    return bad("Ports", error.message, "`ss -ltnp` shows which programs have them.");
  }
}

/** Blocks further in the future than the second are refused: those of this node by peers, and those of peers here. */
const [largeMs, tooLargeMs] = [2_000, 15_000];

/** @param differenceMs how far this machine is ahead of others; `undefined` without a clock to compare with */
export function examineClock(differenceMs: number | undefined): Diagnosis {
  const about = "Clock";
  const advice = "Let a service set it (systemd-timesyncd, chrony): `timedatectl` shows whether one does.";
  if (differenceMs === undefined)
    return warningDiagnosis(about, "no peer answered, so there is no other clock to compare.", advice);
  const text = `${Math.abs(differenceMs / 1_000).toFixed(0)} s ${differenceMs < 0 ? "behind" : "ahead of"} the bootstrap's.`;
  if (Math.abs(differenceMs) > tooLargeMs) return bad(about, text, advice);
  return Math.abs(differenceMs) > largeMs ? warningDiagnosis(about, text, advice) : good(about, text);
}
