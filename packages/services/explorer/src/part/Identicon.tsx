import { addressOfAccount } from "../data/addressOfAccount.js";

/** A small picture of a key or an address, the same everywhere, so that it is recognized. */
export function Identicon({ of }: { readonly of: string }) {
  const seed = seedOf(addressOfAccount(of));
  const cells: string[] = [];
  for (let y = 0; y < 5; y += 1)
    for (let x = 0; x < 3; x += 1)
      if (((seed >>> (y * 3 + x)) & 1) === 1) {
        cells.push(`M${x} ${y}h1v1h-1z`);
        if (x < 2) cells.push(`M${4 - x} ${y}h1v1h-1z`);
      }
  const hue = hueOf(of);
  return (
    <svg className="face" viewBox="-0.6 -0.6 6.2 6.2" aria-hidden="true">
      <rect x="-0.6" y="-0.6" width="6.2" height="6.2" fill={`hsl(${hue} 55% 50% / 22%)`} />
      <path d={cells.join("")} fill={`hsl(${hue} 65% 55%)`} />
    </svg>
  );
}

/** A colour's angle for a key or an address. */
export function hueOf(text: string): number {
  return (seedOf(addressOfAccount(text)) >>> 7) % 360;
}

/** FNV-1a, 32 bits: it only has to differ. */
function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return (hash ^ (hash >>> 15)) >>> 0;
}
