import { basename, join } from "node:path";
import { info, type Line } from "@vedette/config/log";
import { uncheckedBytes } from "@vedette/store";

/** Logs the environments with values that a start has not checked, since that would take long. @spec 30 §5.8 */
export function reportUncheckedValues(environments: readonly string[], log: (line: Line) => void): void {
  for (const path of environments) {
    const sizeBytes = uncheckedBytes(path);
    if (sizeBytes !== undefined) log(info(uncheckedLine(basename(path), sizeBytes)));
  }
}

const mib = 1 << 20;

function uncheckedLine(environment: string, sizeBytes: number): string {
  const file = `${join(environment, "data.mdb")} has ${Math.ceil(sizeBytes / mib)} MiB`;
  return `${file}: what leads to its values was checked, the values were not; each is checked when it is read. \`vedette db verify\` with the node stopped checks all.`;
}
