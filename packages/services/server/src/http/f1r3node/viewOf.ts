import type { View } from "@vedette/queries";

/** Returns the view of `?view`; any other value is the usual one. @spec 50 §10.3 */
export function viewOf({ view }: { readonly view?: string | undefined }, usual: View): View {
  return view === "full" || view === "summary" ? view : usual;
}
