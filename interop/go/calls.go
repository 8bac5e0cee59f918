package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	_ "interop/gen/casper/v1"
	_ "interop/gen/grpc/health/v1"
	_ "interop/gen/grpc/reflection/v1"
	_ "interop/gen/grpc/reflection/v1alpha"
	_ "interop/gen/lsp"
	_ "interop/gen/repl"
)

type testCase struct {
	Name          string `json:"name"`
	Address       string `json:"address"`
	Service       string `json:"service"`
	Method        string `json:"method"`
	Kind          string `json:"kind"`
	Request       string `json:"request"`
	Times         int    `json:"times"`
	AtOnce        int    `json:"atOnce"`
	RestMs        int    `json:"restMs"`
	DeadlineMs    int    `json:"deadlineMs"`
	CancelAfter   int    `json:"cancelAfter"`
	CancelAfterMs int    `json:"cancelAfterMs"`
	PauseMs       int    `json:"pauseMs"`
	Pauses        int    `json:"pauses"`
	ReceiveLimit  int    `json:"receiveLimit"`
	KeepAliveMs   int    `json:"keepAliveMs"`
	Shows         bool   `json:"shows"`
}

type callResult struct {
	Status   int      `json:"status"`
	Text     string   `json:"text"`
	Elements []string `json:"elements"`
	Shown    string   `json:"shown"`
}

type caseResult struct {
	Name  string       `json:"name"`
	Calls []callResult `json:"calls"`
}

// The common settings of a case's calls.
type caller struct {
	testCase
	connection *grpc.ClientConn
	method     protoreflect.MethodDescriptor
	request    []byte
}

var connections = map[string]*grpc.ClientConn{}

func run(one testCase) (caseResult, error) {
	result := caseResult{one.Name, make([]callResult, one.Times)}
	connection, err := connectionOf(one)
	if err != nil {
		return result, err
	}
	name := protoreflect.FullName(one.Service + "." + one.Method)
	descriptor, err := protoregistry.GlobalFiles.FindDescriptorByName(name)
	if err != nil {
		return result, err
	}
	request, err := os.ReadFile(one.Request)
	if err != nil {
		return result, err
	}
	calls := caller{one, connection, descriptor.(protoreflect.MethodDescriptor), request}
	for begun := 0; begun < one.Times; begun += one.AtOnce {
		if begun > 0 {
			time.Sleep(milliseconds(one.RestMs))
		}
		var group sync.WaitGroup
		for index := begun; index < begun+one.AtOnce; index++ {
			group.Go(func() { result.Calls[index] = calls.call() })
		}
		group.Wait()
	}
	return result, nil
}

func connectionOf(one testCase) (*grpc.ClientConn, error) {
	key := fmt.Sprint(one.Address, one.ReceiveLimit, one.KeepAliveMs)
	if known := connections[key]; known != nil {
		return known, nil
	}
	options := []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}
	if one.ReceiveLimit > 0 {
		options = append(options, grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(one.ReceiveLimit)))
	}
	if one.KeepAliveMs > 0 {
		keep := keepalive.ClientParameters{Time: milliseconds(one.KeepAliveMs), PermitWithoutStream: true}
		options = append(options, grpc.WithKeepaliveParams(keep))
	}
	connection, err := grpc.NewClient(one.Address, options...)
	connections[key] = connection
	return connection, err
}

func (c caller) call() callResult {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if c.DeadlineMs > 0 {
		ctx, cancel = context.WithTimeout(ctx, milliseconds(c.DeadlineMs))
		defer cancel()
	}
	if c.CancelAfterMs > 0 {
		time.AfterFunc(milliseconds(c.CancelAfterMs), cancel)
	}
	result := callResult{Elements: []string{}}
	took := func(message proto.Message) {
		bytes, _ := proto.MarshalOptions{Deterministic: true}.Marshal(message)
		digest := sha256.Sum256(bytes)
		result.Elements = append(result.Elements, hex.EncodeToString(digest[:8]))
		if c.Shows && len(result.Elements) == 1 {
			result.Shown = hex.EncodeToString(bytes)
		}
		if c.CancelAfter > 0 && len(result.Elements) == c.CancelAfter {
			cancel()
		}
	}
	err := c.exchange(ctx, took, &result)
	converted := status.Convert(err)
	result.Status, result.Text = int(converted.Code()), converted.Message()
	return result
}

func (c caller) exchange(ctx context.Context, took func(proto.Message), result *callResult) error {
	path := "/" + c.Service + "/" + c.Method
	request, err := messageOf(c.method.Input())
	if err == nil {
		err = proto.Unmarshal(c.request, request)
	}
	if err != nil {
		return err
	}
	if c.Kind == "unary" {
		answer, err := messageOf(c.method.Output())
		if err == nil {
			err = c.connection.Invoke(ctx, path, request, answer)
		}
		if err == nil {
			took(answer)
		}
		return err
	}
	stream, err := c.connection.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true, ClientStreams: c.Kind == "both"}, path)
	if err != nil {
		return err
	}
	if err := stream.SendMsg(request); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err := stream.CloseSend(); err != nil {
		return err
	}
	for {
		if c.PauseMs > 0 && len(result.Elements) < c.Pauses {
			time.Sleep(milliseconds(c.PauseMs))
		}
		answer, err := messageOf(c.method.Output())
		if err != nil {
			return err
		}
		if err := stream.RecvMsg(answer); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		took(answer)
	}
}

func messageOf(descriptor protoreflect.MessageDescriptor) (proto.Message, error) {
	kind, err := protoregistry.GlobalTypes.FindMessageByName(descriptor.FullName())
	if err != nil {
		return nil, err
	}
	return kind.New().Interface(), nil
}

func milliseconds(count int) time.Duration {
	return time.Duration(count) * time.Millisecond
}
