import { withoutPasswords } from "@vedette/errors";

/** An address, and how to log in there. */
export interface LoginApart {
  readonly url: string;
  /** The value of `authorization`. */
  readonly login: string | undefined;
}

/** Takes `user:password@` out of an address: `fetch` refuses it, and messages must not repeat it. */
export function loginApart(text: string): LoginApart {
  return { url: withoutPasswords(text).replace(/\/+$/, ""), login: loginOf(new URL(text)) };
}

/** RFC 7617. */
function loginOf({ username, password }: URL): string | undefined {
  if (username === "" && password === "") return undefined;
  const bytes = new TextEncoder().encode(`${decoded(username)}:${decoded(password)}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
