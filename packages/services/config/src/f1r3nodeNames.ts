import type { KeyName } from "./keys.js";

/** Keys that files of f1r3node know by another name. @spec 61 §18.1 */
export const f1r3nodeNames: ReadonlyMap<string, KeyName> = new Map([
  ["api-server.http-max-body-bytes", "api-server.limits.body-size"],
]);

const influx = "nothing is sent to InfluxDB; metrics are read at /metrics";
const logs = "lines go to the standard output, and the operator keeps them";

/** Keys of f1r3node's files that have no meaning here, and why. @spec 61 §18.1 */
export const withoutMeaning: ReadonlyMap<string, string> = new Map([
  ["metrics.tick-interval", influx],
  ["metrics.influxdb-endpoint.hostname", influx],
  ["metrics.influxdb-endpoint.port", influx],
  ["metrics.influxdb-endpoint.database", influx],
  ["metrics.influxdb-endpoint.protocol", influx],
  ["metrics.influxdb-endpoint.user", influx],
  ["metrics.influxdb-endpoint.password", influx],
  ["logging.filter", "it names parts of that node's program; logging.level chooses what is logged here"],
  ["logging.format", "lines for people on a terminal, JSON elsewhere"],
  ["logging.sink", logs],
  ["logging.file.rotation", logs],
  ["logging.file.retention", logs],
]);
