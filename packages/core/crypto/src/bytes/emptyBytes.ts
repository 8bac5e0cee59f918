/** The shared array of no bytes. With length 0 it has no content that a caller could change. */
export const emptyBytes: Uint8Array = new Uint8Array(0);
