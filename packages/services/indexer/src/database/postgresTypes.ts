import pg from "pg";

/** Numbers of PostgreSQL's own types. */
const oids = { int8: 20, int4: 23, json: 114, jsonb: 3802, timestamp: 1114, timestamptz: 1184 } as const;

/** Values as SQLite gives them: integers are `bigint`, JSON and times are texts. */
export const postgresTypes = {
  getTypeParser(oid: number, format?: "text" | "binary"): (text: string) => unknown {
    switch (oid) {
      case oids.int8:
      case oids.int4:
        return BigInt;
      case oids.json:
      case oids.jsonb:
        return (text) => text;
      case oids.timestamp:
        return (text) => text.replace(" ", "T");
      case oids.timestamptz:
        return (text) => text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00");
      default:
        return pg.types.getTypeParser(oid, format ?? "text") as (text: string) => unknown;
    }
  },
} as pg.CustomTypesConfig;
