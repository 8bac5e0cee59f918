import { printBase58, toHex } from "@vedette/crypto";

/** A secret, and its name in reports. */
export interface Secret {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Looks for secrets in a program's output and files, in each form in which programs write bytes. */
export class SecretScanner {
  readonly #forms: readonly { readonly label: string; readonly form: Buffer }[];

  constructor(secrets: readonly Secret[]) {
    this.#forms = secrets.flatMap(({ name, bytes }) => {
      const buffer = Buffer.from(bytes);
      const texts = {
        hexadecimal: toHex(bytes),
        "hexadecimal in capitals": toHex(bytes).toUpperCase(),
        "base 58": printBase58(bytes),
        // Without its end, which depends on what follows.
        "base 64": buffer.toString("base64").slice(0, -2),
        "base 64 of URLs": buffer.toString("base64url").slice(0, -2),
        "a list of numbers": bytes.join(","),
        "a list of numbers with spaces": bytes.join(", "),
      };
      const forms = Object.entries(texts).map(([form, text]) => ({
        label: `${name} as ${form}`,
        form: Buffer.from(text),
      }));
      return [...forms, { label: `${name} as bytes`, form: buffer }];
    });
  }

  /** Returns the secrets in a text or file, in words. */
  in(content: string | Uint8Array): string[] {
    const buffer = typeof content === "string" ? Buffer.from(content) : Buffer.from(content);
    return this.#forms.filter(({ form }) => buffer.includes(form)).map(({ label }) => label);
  }
}
