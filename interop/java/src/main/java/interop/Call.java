package interop;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One call, from its request to its status. */
final class Call<Q, A> extends ClientCall.Listener<A> {
  /** How a call ended. */
  record Result(int status, String text, List<String> elements, String shown) {}

  private final Case one;
  private final ClientCall<Q, A> call;
  private final List<String> elements = new ArrayList<>();
  private final CompletableFuture<Status> ended = new CompletableFuture<>();
  private String shown = "";

  Call(Case one, Channel channel, MethodDescriptor<Q, A> method, byte[] request) {
    this.one = one;
    CallOptions options = CallOptions.DEFAULT;
    if (one.deadlineMs > 0) options = options.withDeadlineAfter(one.deadlineMs, TimeUnit.MILLISECONDS);
    call = channel.newCall(method, options);
    call.start(this, new Metadata());
    call.request(1);
    call.sendMessage(method.parseRequest(new ByteArrayInputStream(request)));
    call.halfClose();
    if (one.cancelAfterMs > 0)
      CompletableFuture.delayedExecutor(one.cancelAfterMs, TimeUnit.MILLISECONDS)
          .execute(() -> call.cancel("as requested", null));
  }

  Result result() throws Exception {
    Status status = ended.get();
    String text = status.getDescription() == null ? "" : status.getDescription();
    return new Result(status.getCode().value(), text, elements, shown);
  }

  @Override
  public void onMessage(A message) {
    byte[] bytes = bytesOf((MessageLite) message);
    elements.add(HexFormat.of().formatHex(Arrays.copyOf(sha256(bytes), 8)));
    if (one.shows && elements.size() == 1) shown = HexFormat.of().formatHex(bytes);
    if (one.cancelAfter > 0 && elements.size() == one.cancelAfter) call.cancel("as requested", null);
    if (one.pauseMs > 0 && elements.size() < one.pauses) sleep(one.pauseMs);
    call.request(1);
  }

  @Override
  public void onClose(Status status, Metadata trailers) {
    ended.complete(status);
  }

  private static void sleep(long milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static byte[] bytesOf(MessageLite message) {
    byte[] bytes = new byte[message.getSerializedSize()];
    CodedOutputStream output = CodedOutputStream.newInstance(bytes);
    output.useDeterministicSerialization();
    try {
      message.writeTo(output);
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
    return bytes;
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException error) {
      throw new IllegalStateException(error);
    }
  }
}
