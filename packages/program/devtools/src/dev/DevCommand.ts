import type { DevSettings } from "./DevSettings.js";

/** How a chain for development is run and shown. */
export interface DevCommand {
  readonly settings: DevSettings;
  /** As of `--log-level`; the log goes to standard error. */
  readonly logLevel: string;
  readonly isJson: boolean;
  /** Where the chain is noted while it runs, for the commands of its user. */
  readonly contextFile: string | undefined;
  readonly write: (text: string) => void;
  /** When the process began, in milliseconds on the clock of `performance`. */
  readonly begunMs: number;
  /** Ends it. */
  readonly signal: AbortSignal;
}
