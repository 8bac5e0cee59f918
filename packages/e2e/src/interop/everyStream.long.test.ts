// Covers: api, events, server, stream
// Usual runs try a few of the streams: this file tries all of them in a long run.
import "./clients.clients.test.js";
