// A client of a node's gRPC services with the settings that grpc-go has by itself. It makes the calls that a file
// lists, and writes a line of JSON for each case: ../README.md.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: %s <file of cases>", os.Args[0]))
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fail(err)
	}
	var cases []testCase
	if err := json.Unmarshal(text, &cases); err != nil {
		fail(err)
	}
	out := bufio.NewWriter(os.Stdout)
	for _, one := range cases {
		result, err := run(one)
		if err != nil {
			fail(fmt.Errorf("%s: %w", one.Name, err))
		}
		line, err := json.Marshal(result)
		if err != nil {
			fail(err)
		}
		out.Write(append(line, '\n'))
		out.Flush()
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
