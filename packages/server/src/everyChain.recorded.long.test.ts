// Covers: server, queries
// The usual run has one recorded chain of each of these; this one has all.
import "./events/events.chains.test.js";
import "./http/v2/states.chains.test.js";
