package interop;

/** A case of the file. */
final class Case {
  String name;
  String address;
  String service;
  String method;
  String kind;
  String request;
  int times;
  int atOnce;
  long restMs;
  long deadlineMs;
  int cancelAfter;
  long cancelAfterMs;
  long pauseMs;
  int pauses;
  int receiveLimit;
  long keepAliveMs;
  boolean shows;
}
