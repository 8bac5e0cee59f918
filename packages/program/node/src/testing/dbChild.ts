// A separate program that works on a data directory: node dbChild.js <directory> <migrate | prune | compact>
import { compactData } from "../db/compactData.js";
import { migrateData } from "../db/migrateData.js";
import { openOffline } from "../db/OfflineData.js";
import { pruneData } from "../db/pruneData.js";

const [path = "", action = ""] = process.argv.slice(2);
const report = (stage: string) => void process.stdout.write(`${stage}\n`);
const { signal } = new AbortController();
if (action === "compact") await compactData(path, "root", report);
else {
  await using data = await openOffline(path, { isWritten: true, shard: "root" });
  report("opened");
  if (action === "migrate") await migrateData(data, { report, signal });
  else await pruneData(data, 10n, { report, signal });
}
