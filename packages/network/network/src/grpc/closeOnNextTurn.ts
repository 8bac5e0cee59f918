/**
 * Ends a stream or a session of HTTP/2 in a turn of the event loop of its own.
 *
 * Whatever follows at once from an event of a session runs while its frames are still being read. Where calls ended
 * their streams, and nodes their sessions, from there, Node.js 20.20 wrote to the memory of streams that it had freed,
 * and the process crashed some time later. To reset a stream with the code CANCEL is safe: Node.js defers that itself.
 */
export function closeOnNextTurn(end: () => void): void {
  setImmediate(end);
}
