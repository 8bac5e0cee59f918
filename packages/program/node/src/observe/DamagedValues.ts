import { join } from "node:path";
import { error, type Line } from "@vedette/config/log";
import { type DamagedValue, tables, watchDamage } from "@vedette/store";
import type { Meters } from "./meters.js";

/** Where damaged values are reported. */
export interface DamagedValuesOptions {
  /** The data directory with these values. */
  readonly path: string;
  readonly log: (line: Line) => void;
  readonly meters: Pick<Meters, "onDamagedValue">;
}

/** Maximum number of values that are logged one by one. */
const maxReported = 100;

/** Logs and counts values that were read from disk and are not what was written. */
export function reportDamagedValues({ path, log, meters }: DamagedValuesOptions): Disposable {
  const logged = new Set<string>();
  return watchDamage((damaged) => {
    const { environment } = tables[damaged.table];
    if (damaged.path !== join(path, environment)) return;
    meters.onDamagedValue(environment);
    const name = `${damaged.table} ${Buffer.from(damaged.key).toString("hex")}`;
    if (logged.has(name) || logged.size === maxReported) return;
    logged.add(name);
    log(error(damageLine(damaged)));
  });
}

function damageLine({ path, table, key }: DamagedValue): string {
  const place = `${join(path, "data.mdb")}, table ${table}, under ${Buffer.from(key).toString("hex")}`;
  return `Damaged on disk: ${place}. It is not used; check the disk, then run \`vedette db verify --repair\` with the node stopped.`;
}
