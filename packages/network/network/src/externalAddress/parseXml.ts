/**
 * The text of the first element of this name, in XML so simple that routers speak it.
 *
 * @returns `undefined` where there is none; entities are decoded, inner elements are not looked at
 */
export function elementText(xml: string, name: string): string | undefined {
  const match = new RegExp(`<(?:[A-Za-z0-9_-]+:)?${name}(?:\\s[^>]*)?>([^<]*)</`).exec(xml);
  return match?.[1]?.trim().replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity] ?? "");
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The contents of all elements of this name, inner ones included. */
export function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, "g"))].map(
    ([, inner]) => inner ?? "",
  );
}

/** A text that may stand in an element. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
