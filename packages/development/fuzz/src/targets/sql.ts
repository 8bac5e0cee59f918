import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { blake2b256, toHex } from "@vedette/crypto";
import { openTables } from "@vedette/indexer";
import { must } from "../driver/Target.js";
import { textTarget } from "../driver/textTarget.js";
import { madeIndex } from "../model/madeIndex.js";

const limits = { rows: 20, timeoutMs: 150 };
const codes = new Set(["badQuery", "tooSlow", "tooManyRows", "answerTooLarge"]);
const formats = ["json", "csv", "ndjson", "arrow"] as const;

/** The first byte selects the format of the rows; the rest is the question. */
export const sql = textTarget({
  name: "sql",
  about: "any SQL of an operator returns rows or a reason, and nothing is written anywhere",
  cost: "expensive",
  files: ["indexer/sql/"],
  words: [
    ...[
      "select ",
      "with ",
      "values ",
      " from ",
      " where ",
      " group by ",
      " order by ",
      " limit ",
      " union all ",
      " join ",
    ],
    ...[
      "insert into ",
      "delete from ",
      "update ",
      "drop table ",
      "attach ",
      "pragma ",
      "vacuum into ",
      "create table ",
    ],
    ..."recursive,returning *,begin,commit,detach,reindex,load_extension(,writefile(,printf(,zeroblob(,hex(".split(","),
    ...["(", ")", ";", ",", "*", "'", '"', "`", "[", "]", "--", "/*", "*/", "$$", "\n", "||", "9223372036854775807"],
    ...["null", "1e999", "x''", " as ", "cast(", "json_each(", "over (", " collate nocase ", "?1", ":a", "@a"],
    ...openTables.flatMap(({ name, columns }) => [name, ...Object.keys(columns).slice(0, 5)]),
    ...["chain_blocks", "deploys", "sqlite_master", "pragma_table_info("],
  ],
  texts: () => [
    "0select block_number, errored from deployments order by 1; -- all",
    "1with n as (select block_number from blocks) select * from n where block_number > 2",
    "2values (1, 'a;b', null), (9007199254740993, x'00', 0.5)",
    "3select b.*, d.deploy_id from blocks b left join deployments d on d.block_hash = b.block_hash",
    "0with recursive n(x) as (select 1 union all select x + 1 from n) select x from n",
    "0select 1) as asked; delete from chain_blocks; select * from (select 1",
    "0vacuum into 'copy.sqlite'",
    "0attach database 'other.sqlite' as other",
  ],
  maxBytes: 600,
  check: async (text) => {
    const { index, path } = await madeIndex();
    before ??= stateOf(path);
    const format = formats[(text.codePointAt(0) ?? 0) % formats.length]!;
    const answer = await index.sql({ query: text.slice(1), format, ...limits });
    if (answer.kind === "failed") must(codes.has(answer.code), () => `${answer.code}: ${answer.message}`);
    else {
      must(answer.count <= limits.rows, "no more rows are returned than were requested");
      if (format === "json") must(JSON.parse(String(answer.body)).length === answer.count, "all rows are returned");
    }
    must(stateOf(path) === before, "nothing was written");
    // Others may write here, too, but not under a name of the question.
    const named = readdirSync(".").filter((name) => !files.has(name) && text.includes(name));
    must(named.length === 0, () => `files were made: ${named.join(", ")}`);
  },
});

const files: ReadonlySet<string> = new Set(readdirSync("."));
let before: string | undefined;

/** The files beside the index, and what is in it. */
function stateOf(path: string): string {
  return `${readdirSync(dirname(path)).join()} ${toHex(blake2b256(readFileSync(path)))}`;
}
