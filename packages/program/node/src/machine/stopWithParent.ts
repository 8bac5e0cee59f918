/**
 * Ends a node that was started by a launcher when that launcher is gone, however it ended.
 *
 * The launcher holds the other end of a channel, which the system closes.
 */
export function stopWithParent(stop: () => void): void {
  if (process.channel === undefined) return;
  // The launcher no longer reads the output. Writing it must not be an error while the node ends.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  // A program that handles messages of the launcher runs until the launcher is gone.
  const takesMessages = process.listenerCount("message") > 0;
  process.once("disconnect", stop);
  if (!takesMessages) process.channel.unref();
}
