import { fstatSync } from "node:fs";

/**
 * Whether an open file is the stream of systemd's journal that this process was started with.
 *
 * @param stream systemd's description of that stream (`JOURNAL_STREAM`: device and inode); others inherit the variable
 * @param file descriptor; 1 is standard output
 */
export function isJournal(stream: string | undefined, file = 1): boolean {
  if (stream === undefined || stream === "") return false;
  try {
    const { dev, ino } = fstatSync(file, { bigint: true });
    return stream === `${dev}:${ino}`;
  } catch {
    return false;
  }
}
