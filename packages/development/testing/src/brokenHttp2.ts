const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** Frames of HTTP/2. */
const data = 0;
const headers = 1;
const settings = 4;
const ping = 6;
const goaway = 7;
const continuation = 9;

/** One frame of HTTP/2. */
export function http2Frame(type: number, flags: number, stream: number, payload: Uint8Array = new Uint8Array(0)) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** The first bytes of a good client. */
export const http2Beginning = Buffer.concat([preface, http2Frame(settings, 0, 0)]);

const after = (frame: Uint8Array) => Buffer.concat([http2Beginning, frame]);

/** All bytes of a client that breaks the rules of a connection at once, by the kind of breach. */
export const brokenHttp2: Readonly<Record<string, Buffer>> = {
  "DATA on an idle stream": after(http2Frame(data, 0, 1, new Uint8Array(4))),
  "bad HPACK": after(http2Frame(headers, 5, 1, new Uint8Array(6).fill(0xff))),
  "SETTINGS of a wrong length": after(http2Frame(settings, 0, 0, new Uint8Array(5))),
  "PING of a wrong length": after(http2Frame(ping, 0, 0, new Uint8Array(7))),
  "GOAWAY of a wrong length": after(http2Frame(goaway, 0, 0, new Uint8Array(3))),
  "a frame above 16 KiB": after(http2Frame(data, 0, 1, new Uint8Array(20_000))),
  "CONTINUATION without HEADERS": after(http2Frame(continuation, 4, 1, Uint8Array.of(0x82))),
};

/** Beginnings of a connection that go no further, and one that goes on and never answers. */
export const silentHttp2: Readonly<Record<string, Buffer>> = {
  "half a preface": preface.subarray(0, 12),
  "half a frame": after(http2Frame(headers, 4, 1, new Uint8Array(40)).subarray(0, 20)),
  "settings alone": http2Beginning,
  "GOAWAY and no end": after(http2Frame(goaway, 0, 0, new Uint8Array(8))),
  "GOAWAY with an error and no end": after(http2Frame(goaway, 0, 0, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 2))),
};
