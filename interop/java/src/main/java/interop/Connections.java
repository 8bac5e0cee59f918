package interop;

import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Connections to servers, by address and settings. */
final class Connections {
  /** How a case's calls ended. */
  record CaseResult(String name, List<Call.Result> calls) {}

  private static final List<ServiceDescriptor> services =
      List.of(
          casper.v1.DeployServiceGrpc.getServiceDescriptor(),
          casper.v1.ProposeServiceGrpc.getServiceDescriptor(),
          repl.ReplGrpc.getServiceDescriptor(),
          lsp.LspGrpc.getServiceDescriptor(),
          grpc.health.v1.HealthGrpc.getServiceDescriptor(),
          grpc.reflection.v1.ServerReflectionGrpc.getServiceDescriptor(),
          grpc.reflection.v1alpha.ServerReflectionGrpc.getServiceDescriptor());

  private final Map<String, ManagedChannel> channels = new HashMap<>();

  CaseResult run(Case one) throws Exception {
    byte[] request = Files.readAllBytes(Path.of(one.request));
    List<Call.Result> results = new ArrayList<>();
    while (results.size() < one.times) {
      if (!results.isEmpty()) Thread.sleep(one.restMs);
      List<Call<?, ?>> group = new ArrayList<>();
      for (int index = 0; index < one.atOnce; index++)
        group.add(new Call<>(one, channel(one), methodOf(one.service, one.method), request));
      for (Call<?, ?> call : group) results.add(call.result());
    }
    return new CaseResult(one.name, results);
  }

  void close() {
    channels.values().forEach(ManagedChannel::shutdownNow);
  }

  private ManagedChannel channel(Case one) {
    return channels.computeIfAbsent(
        one.address + " " + one.receiveLimit + " " + one.keepAliveMs,
        key -> {
          NettyChannelBuilder builder = NettyChannelBuilder.forTarget(one.address).usePlaintext();
          if (one.receiveLimit > 0) builder.maxInboundMessageSize(one.receiveLimit);
          if (one.keepAliveMs > 0)
            builder.keepAliveTime(one.keepAliveMs, TimeUnit.MILLISECONDS).keepAliveWithoutCalls(true);
          return builder.build();
        });
  }

  private static MethodDescriptor<?, ?> methodOf(String service, String method) {
    String name = MethodDescriptor.generateFullMethodName(service, method);
    return services.stream()
        .flatMap(one -> one.getMethods().stream())
        .filter(one -> one.getFullMethodName().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no method " + name));
  }
}
