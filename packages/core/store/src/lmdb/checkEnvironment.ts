import { join } from "node:path";
import { dataFile } from "./layout.js";
import { type FileDamage, lookThrough } from "./pages/checkFile.js";
import { PageFile } from "./pages/PageFile.js";
import { storeFailure } from "./storeFailure.js";

const pagesPerYield = 500;

/**
 * Looks through all of an environment's file: every page that is in use, and every value.
 *
 * @param yieldNow called at times, with the pages that were looked at and all there are
 * @returns whether each value has a checksum; an earlier version wrote none
 * @throws {StoreError} where the file cannot be read; what `yieldNow` throws
 */
export async function checkEnvironment(
  path: string,
  damaged: (damage: FileDamage) => void,
  yieldNow: (done: number, total: number) => Promise<void>,
): Promise<{ readonly isSealed: boolean }> {
  try {
    using file = new PageFile(join(path, dataFile));
    let pages = 0;
    const total = file.sizeBytes / usualPageBytes;
    const looking = lookThrough(file, { damaged, needsEachPage: true });
    for (;;) {
      const step = looking.next();
      if (step.done === true) return { isSealed: step.value?.isSealed ?? true };
      pages += 1;
      if (pages % pagesPerYield === 0) await yieldNow(pages, total);
    }
  } catch (error) {
    throw storeFailure(path, error);
  }
}

const usualPageBytes = 4096;
