import { constants, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { addressKey, isOwnMachine } from "../address/addressKey.js";
import type { ConnectionState, LimitedConnection } from "./ConnectionLimiter.js";
import { closeOnNextTurn } from "./closeOnNextTurn.js";

/** A session that has begun. */
export interface NewSession {
  readonly http: ServerHttp2Session;
  readonly socket: Socket;
  /** Whether its address has a limit of its own. */
  readonly countsAddress: boolean;
}

/** How long a connection may be silent, and how its end is enforced. @spec 50 §3.1, 10 §3.1 */
export interface SessionTimes {
  /** How often sessions are looked at; what follows is counted in such steps. */
  readonly lookMs: number;
  /** A session without a call is checked at this interval; one with a call when it is silent for that time. */
  readonly checkMs: number;
  readonly busyCheckMs: number;
  /** It must answer within this time. */
  readonly answerMs: number;
  readonly busyAnswerMs: number;
  /** The same when bytes came that nothing is known to have followed from. */
  readonly doubtMs: number;
  /** A session without a call is closed after this time. */
  readonly maxIdleMs: number;
  /** A socket must be closed this long after its session has ended. */
  readonly endMs: number;
}

/** Times that suit any client; a server has its own bound of idleness. */
export const usualTimes = {
  lookMs: 1_000,
  checkMs: 10_000,
  busyCheckMs: 60_000,
  answerMs: 10_000,
  busyAnswerMs: 20_000,
  doubtMs: 5_000,
  endMs: 2_000,
} as const;

/** Receives the state changes of a session. */
export interface SessionWatcher {
  readonly onState: (state: ConnectionState) => void;
  /** The socket is gone. */
  readonly onGone: () => void;
  /** A PING of ours went out. */
  readonly onRequested?: (() => void) | undefined;
}

/** After this silence the system probes whether the host is there. */
const quietMs = 60_000;
/** The size of a PING, and of its answer. */
const pingBytes = 17;

interface Question {
  readonly waitsMs: number;
  waitedMs: number;
  /** The bytes read before it was sent, or since. */
  bytes: number;
}

/**
 * One session of a server: tracks its state, pings its client, and ends it for certain.
 *
 * When a client breaks the rules of HTTP/2, Node.js (seen with 20.20) sends it a GOAWAY, emits nothing, and never reads
 * its socket again: neither an answer to a PING nor the end of the connection would ever be seen. A session that has
 * ended, in turn, waits without bound until its last bytes are taken and the client closes. So a client that does not
 * answer is taken for dead, and the socket is destroyed below the session. Bytes other than an answer to a PING cause a
 * new PING: they may be those at which Node.js stopped.
 *
 * @spec 50 §3.1, 10 §3.1
 */
export class ServedSession implements LimitedConnection {
  readonly http: ServerHttp2Session;
  readonly address: string;
  readonly isOwnMachine: boolean;
  readonly countedFor: string | undefined;
  readonly #times: SessionTimes;
  readonly #watcher: SessionWatcher;
  readonly #socket: Socket;
  #state: ConnectionState = "idle";
  #calls = 0;
  #idleMs = 0;
  #silentMs = 0;
  #terminatingMs = 0;
  #question: Question | undefined;
  #grace: NodeJS.Timeout | undefined;
  /** Bytes read: of which it is certain that the session took them, and when it was last looked at. */
  #takenBytes = 0;
  #seenBytes = -1;

  constructor({ http, socket, countsAddress }: NewSession, times: SessionTimes, watcher: SessionWatcher) {
    this.http = http;
    this.#socket = socket;
    this.address = socket.remoteAddress ?? "";
    this.isOwnMachine = isOwnMachine(this.address);
    this.countedFor = countsAddress ? addressKey(this.address) : undefined;
    this.#times = times;
    this.#watcher = watcher;
    // A host that is gone while it has a call is noticed by the system.
    socket.setKeepAlive(true, quietMs);
    http.on("error", () => {});
    http.on("stream", (stream) => {
      this.#calls += 1;
      this.#look();
      stream.once("close", () => {
        this.#calls -= 1;
        this.#look();
      });
    });
    this.#socket.once("close", () => {
      clearTimeout(this.#grace);
      watcher.onGone();
    });
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Takes no further calls; when those under way are over, or after this time, the connection ends. */
  close(graceMs = Number.POSITIVE_INFINITY): void {
    closeOnNextTurn(() => {
      if (!this.http.closed && !this.http.destroyed) this.http.close();
      this.#look();
    });
    clearTimeout(this.#grace);
    if (Number.isFinite(graceMs)) this.#grace = setTimeout(() => this.end(), graceMs).unref();
  }

  /** Ends the connection at once. @param code states the reason to the client */
  end(code: number = constants.NGHTTP2_NO_ERROR): void {
    closeOnNextTurn(() => {
      if (!this.http.destroyed) this.http.destroy(undefined, code);
      this.#look();
      // The data just sent goes to the system first.
      closeOnNextTurn(() => this.#socket.destroy());
    });
  }

  evict(): void {
    this.end();
  }

  /** Is called once in every `lookMs`. */
  look(): void {
    this.#look();
    const { lookMs, endMs, maxIdleMs } = this.#times;
    if (this.#state === "terminating") {
      this.#terminatingMs += lookMs;
      if (this.#terminatingMs >= endMs) this.#socket.destroy();
      return;
    }
    this.#idleMs = this.#state === "idle" ? this.#idleMs + lookMs : 0;
    if (this.#idleMs >= maxIdleMs) this.close();
    else if (this.#question === undefined) this.#doubt();
    else this.#awaitAnswer(this.#question);
  }

  #look(): void {
    const isOver = this.http.destroyed || (this.http.closed && this.#calls === 0);
    const state = isOver ? "terminating" : this.#calls > 0 ? "busy" : "idle";
    if (state === this.#state) return;
    this.#state = state;
    this.#watcher.onState(state);
  }

  /** Sends a check from time to time, and when no more data follows the received part. */
  #doubt(): void {
    const { lookMs, checkMs, busyCheckMs, answerMs, busyAnswerMs, doubtMs } = this.#times;
    const isBusy = this.#state === "busy";
    const bytes = this.#socket.bytesRead;
    const isStill = bytes === this.#seenBytes;
    this.#seenBytes = bytes;
    // Without a call, what is sent is no sign of life: it may come byte by byte.
    this.#silentMs = isStill || !isBusy ? this.#silentMs + lookMs : 0;
    const isDoubtful = isStill && bytes !== this.#takenBytes;
    if (!isDoubtful && this.#silentMs < (isBusy ? busyCheckMs : checkMs)) return;
    this.#ask(isBusy ? busyAnswerMs : isDoubtful ? doubtMs : answerMs);
  }

  #ask(waitsMs: number): void {
    const question: Question = { waitsMs, waitedMs: 0, bytes: this.#socket.bytesRead };
    const asked = question.bytes;
    this.#silentMs = 0;
    let isSent = false;
    try {
      // Without effect where another ping is under way, or none can be sent.
      isSent = this.http.ping((error) => {
        if (error !== null || this.#question !== question) return;
        this.#question = undefined;
        if (this.#socket.bytesRead === asked + pingBytes) this.#takenBytes = asked + pingBytes;
      });
    } catch {
      // The session ends in this moment.
      return;
    }
    this.#question = question;
    if (isSent) this.#watcher.onRequested?.();
  }

  /** A client with a call may be slow: as long as anything is read of it, it lives. */
  #awaitAnswer(question: Question): void {
    const bytes = this.#socket.bytesRead;
    if (this.#state === "busy" && bytes !== question.bytes) question.waitedMs = 0;
    else question.waitedMs += this.#times.lookMs;
    question.bytes = bytes;
    if (question.waitedMs >= question.waitsMs) this.end();
  }
}
