import type { View } from "@vedette/queries";

/** What `?view` asks for; what is neither is the usual one. @spec 50 §10.3 */
export function viewOf({ view }: { readonly view?: string | undefined }, usual: View): View {
  return view === "full" || view === "summary" ? view : usual;
}
