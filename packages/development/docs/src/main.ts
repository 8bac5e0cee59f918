import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { referencePages } from "./referencePages.js";

const folder = fileURLToPath(new URL("../../../../docs/reference", import.meta.url));
mkdirSync(folder, { recursive: true });
for (const [file, page] of Object.entries(referencePages)) writeFileSync(join(folder, file), page());
process.stdout.write(`docs: ${Object.keys(referencePages).length} pages written\n`);
