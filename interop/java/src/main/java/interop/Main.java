package interop;

import com.google.gson.Gson;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A client of a node's gRPC services with the settings that grpc-java has by itself. It makes the calls that a file
 * lists, and writes a line of JSON for each case: ../README.md.
 */
public final class Main {
  public static void main(String[] args) throws Exception {
    Gson gson = new Gson();
    Connections connections = new Connections();
    for (Case one : gson.fromJson(Files.readString(Path.of(args[0])), Case[].class))
      System.out.println(gson.toJson(connections.run(one)));
    connections.close();
    System.exit(0);
  }
}
