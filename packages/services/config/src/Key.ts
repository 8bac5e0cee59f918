import type { ProxyHeader } from "./address/TrustedProxies.js";
import type { DialectName } from "./dialectName.js";
import type { FormName } from "./forms.js";
import type { StateHistory } from "./stateHistory.js";
import type { WorkerCount } from "./workerCount.js";

/** The types in which a key's text can be read. @spec 50 §5.2 */
export type KeyTypeOf = {
  flag: boolean;
  int: number;
  optionalInt: number | undefined;
  port: number;
  long: bigint;
  optionalLong: bigint | undefined;
  /** In milliseconds. */
  duration: number;
  decimal: number;
  /** 32 bits, as the protocol computes with it. */
  float: number;
  text: string;
  optionalText: string | undefined;
  path: string;
  optionalPath: string | undefined;
  peer: string;
  /** As `areLogLevels` accepts it. */
  logLevels: string;
  textList: readonly string[];
  /** Addresses and networks, as `parseAddressRange` reads them. */
  networks: readonly string[];
  proxyHeader: ProxyHeader;
  stateHistory: StateHistory;
  workers: WorkerCount;
  dialect: DialectName;
};

/** The value of another key, whatever sets that, with something after it. @spec 50 §5.1 */
export type DerivedDefault = { readonly sameAs: string; readonly followedBy?: string };

/** The facts about one key. @spec 50 §5.3 */
export type Key = {
  readonly type: keyof KeyTypeOf;
  /** Absent for optional keys. */
  readonly default?: string | number | bigint | boolean | readonly string[] | DerivedDefault;
  /** As commander takes it, without the value's name. */
  readonly option?: string;
  /** Whether true or false follows the option of a flag, as with f1r3node. */
  readonly optionHasValue?: boolean;
  /** An option of f1r3node that switches a flag off. */
  readonly offOption?: string;
  /** A further key that the option sets. */
  readonly alsoSets?: string;
  /** Bounds of a number, of bytes or of milliseconds. */
  readonly min?: number;
  readonly max?: number;
  /** The form that a text, or each text of a list, must have. */
  readonly form?: FormName;
  /** Its value is never shown. */
  readonly isSecret?: boolean;
  readonly doc: string;
};
