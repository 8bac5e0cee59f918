import { isIP } from "node:net";

/** A form that texts of some keys must have. */
interface Form {
  readonly wanted: string;
  readonly fits: (text: string) => boolean;
}

/**
 * Forms of texts. `config check` and every start check values by these, so that a value that passes the check works.
 *
 * @spec 50 §5.4
 */
export const forms = {
  /** Name of a network, which peers compare; it must not be empty. */
  name: { wanted: "a name, which is not empty", fits: (text) => text.trim() !== "" },
  host: { wanted: "a host name or an address, without a port", fits: isHost },
  hosts: {
    wanted: 'a list of host names without ports, as ["node.example"]',
    fits: (text) => text === "*" || isHost(text),
  },
  httpUrl: {
    wanted: "an HTTP address, as http://127.0.0.1:40403",
    fits: (text) => text === "" || isUrl(text, /^https?:$/),
  },
  natsServers: {
    wanted: "a list of NATS servers with commas between them, as nats://127.0.0.1:4222",
    fits: (text) => text === "" || text.split(",").every((url) => /^(nats|tls|ws|wss):\/\/\S+$/.test(url.trim())),
  },
  postgresUrl: {
    wanted: "the address of a PostgreSQL, as postgres://user:password@host:5432/database",
    fits: isPostgresUrl,
  },
  /** It is used in a parameter of the connection without quoting. */
  schema: {
    wanted: "the name of a schema: letters, digits and _, 63 at most, no digit first",
    fits: (text) => /^[a-z_]\w{0,62}$/i.test(text),
  },
  privateKey: { wanted: "a private key: 64 hexadecimal digits", fits: (text) => /^\s*[\da-f]{64}\s*$/i.test(text) },
} as const satisfies { readonly [name: string]: Form };

/** The name of a form. */
export type FormName = keyof typeof forms;

/** Whether a text is the address of a PostgreSQL. */
function isPostgresUrl(text: string): boolean {
  return isUrl(text, /^postgres(ql)?:$/);
}

function isUrl(text: string, scheme: RegExp): boolean {
  return text.includes("://") && URL.canParse(text) && scheme.test(new URL(text).protocol);
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || (text.length <= 253 && /^[\w-]{1,63}(\.[\w-]{1,63})*\.?$/.test(text));
}
