import type { ReactNode } from "react";

/**
 * Why a page is empty on a node without an index, and how that is changed.
 * @param without the content that it would have
 */
export function NoIndex({ without }: { readonly without: ReactNode }) {
  return (
    <p className="empty">
      This node keeps no index. {without} Start it with <code>--index</code>, or set <code>index.enabled = true</code>{" "}
      in its configuration.
    </p>
  );
}
