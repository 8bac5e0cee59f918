/** A page that was loaded just now has the newest names of files. */
const leastAgeMs = 30_000;

/**
 * Makes a part of a page that could not be loaded a failure of this page. The router would reload the page by the
 * browser's message; where no node answers, the browser's own error page would replace this one.
 */
export function followMissingParts(): void {
  addEventListener("vite:preloadError", ({ payload }) => {
    payload.message = "The node did not send this part of the page. It may be starting, or have stopped.";
    void reloadIfUpgraded();
  });
}

/** After an upgrade of the node the files of an open page have gone: the new page has others. */
async function reloadIfUpgraded(): Promise<void> {
  if (performance.now() > leastAgeMs && (await isNodeThere())) location.reload();
}

/** Whether the node serves pages. */
export async function isNodeThere(): Promise<boolean> {
  const answer = await fetch("/explorer/settings.json").catch(() => undefined);
  return answer?.ok === true;
}
