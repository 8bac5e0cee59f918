/** Where a joiner may begin to derive finality: floor and frontier of the approved block. @spec 61 §1.2, §16.4 */
export interface FloorSeed {
  readonly floorHash: Uint8Array;
  readonly floorNumber: bigint;
  readonly frontierHash: Uint8Array;
  readonly frontierNumber: bigint;
}
