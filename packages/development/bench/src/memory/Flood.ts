/** How much is sent. */
export interface Flood {
  readonly count: number;
  readonly atOnce: number;
}
