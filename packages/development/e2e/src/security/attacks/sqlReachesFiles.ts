import { existsSync } from "node:fs";
import { join } from "node:path";
import { identityFiles, validatorKeyFile } from "@vedette/devtools/devnet";
import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { post, repeat } from "./requests.js";

/** Every way to reach what is not in the tables of the index. @param written a file that is not there */
function statements(folder: string, written: string): string[] {
  const key = join(folder, identityFiles.key);
  return [
    `select readfile('${key}')`,
    `select hex(readfile('${join(folder, validatorKeyFile)}'))`,
    `select writefile('${written}', 'x')`,
    `select name, data from fsdir('${folder}')`,
    `select length(a.data) from fsdir('${folder}', 'chain') a`,
    `select edit('x', 'cat ${key}')`,
    `select load_extension('${written}')`,
    `select lsmode('${folder}')`,
    `vacuum into '${written}'`,
    `attach database '${written}' as other`,
    `select 1; attach database '${written}' as other`,
    "detach database main",
    "select pgno, data from sqlite_dbpage",
    "select * from dbstat",
    "select * from carray(0, 1)",
    "select fts3_tokenizer('simple')",
    "select * from pragma_database_list",
    "select * from pragma_journal_mode('delete')",
    "select * from pragma_user_version(7)",
    "pragma writable_schema = on",
    "pragma journal_mode = delete",
    "select sql from sqlite_master",
    "create table mine (x)",
    "create temp table mine (x)",
    "insert into blocks select * from blocks",
    "with x as (select 1) delete from blocks",
    "with x as (select 1) update blocks set block_number = 0",
    "begin exclusive",
    "select zeroblob(900000000)",
    "select length(hex(zeroblob(400000000)))",
    "select randomblob(100000000)",
    "select printf('%.*c', 200000000, 'x')",
  ];
}

const clients = 2;

/** Reads and writes files, settings and other tables through SQL. */
export const sqlReachesFiles: Attack<AttackedNode> = {
  name: "SQL reads and writes files, settings and other tables",
  async run({ ports: { adminHttp: port }, folder }, enough) {
    const written = join(folder, "written-by-sql");
    const asked = statements(folder, written);
    const gains = new Set<string>();
    await repeat(enough, clients, async () => {
      for (const query of asked) {
        const { status } = await post({ port, path: "/v2/sql" }, { query });
        if (status < 400) gains.add(`${status} for ${query}`);
      }
    });
    if (existsSync(written)) gains.add("a file was written");
    return [...gains];
  },
};
