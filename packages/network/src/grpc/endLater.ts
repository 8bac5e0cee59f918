/**
 * Ends a stream or a session of HTTP/2 in a turn of the event loop of its own.
 *
 * Whatever follows at once from an event of a session runs while its frames are still being read. Where a stream is
 * then reset with a code other than CANCEL, or its session is destroyed, Node.js (seen with 20.20) frees the stream,
 * and the reading, when it goes on, writes to the freed memory: the process crashes some time later.
 */
export function endLater(end: () => void): void {
  setImmediate(end);
}
