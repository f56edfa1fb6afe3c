package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	// Registers the messages and services of both protocols.
	_ "github.com/hashicorp/terraform-plugin-go/tfprotov5/tf5server"
	_ "github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
)

// callAll makes all calls in order. It fails when a procedure of the service is left out.
func (p provider) callAll(ctx context.Context, conn *grpc.ClientConn, protocol int) (map[string]any, error) {
	name := protoreflect.FullName(fmt.Sprintf("tfplugin%d.Provider", protocol))
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(name)
	if err != nil {
		return nil, err
	}
	methods := found.(protoreflect.ServiceDescriptor).Methods()
	answers := map[string]any{}
	for _, call := range p.calls(protocol) {
		method := call.method
		if renamed, other := namesIn5[method]; other && protocol == 5 {
			method = renamed
		}
		descriptor := methods.ByName(protoreflect.Name(method))
		if descriptor == nil {
			return nil, fmt.Errorf("%s has no procedure %s", name, method)
		}
		answer, err := p.invoke(ctx, conn, descriptor, call.with(answers))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		if call.as != "" {
			method = call.as
		}
		answers[method] = answer
	}
	for i := range methods.Len() {
		if method := string(methods.Get(i).Name()); answers[method] == nil {
			return nil, fmt.Errorf("%s was not called", method)
		}
	}
	return answers, nil
}

// invoke makes one call; the answer is a list where the server streams.
func (p provider) invoke(
	ctx context.Context, conn *grpc.ClientConn, method protoreflect.MethodDescriptor, requests []message,
) (any, error) {
	description := &grpc.StreamDesc{
		ServerStreams: method.IsStreamingServer(),
		ClientStreams: method.IsStreamingClient(),
	}
	path := fmt.Sprintf("/%s/%s", method.Parent().FullName(), method.Name())
	stream, err := conn.NewStream(ctx, description, path)
	if err != nil {
		return nil, err
	}
	for _, request := range requests {
		sent, err := encode(method.Input(), request)
		if err != nil {
			return nil, err
		}
		if err := stream.SendMsg(sent); err != nil {
			return nil, err
		}
	}
	if err := stream.CloseSend(); err != nil {
		return nil, err
	}
	answers := []any{}
	for {
		received, err := create(method.Output())
		if err != nil {
			return nil, err
		}
		err = stream.RecvMsg(received)
		if errors.Is(err, io.EOF) {
			return answers, nil
		}
		if err != nil {
			return nil, err
		}
		answer, err := p.decode(received)
		if err != nil {
			return nil, err
		}
		if !method.IsStreamingServer() {
			return answer, nil
		}
		answers = append(answers, answer)
	}
}

// create makes an empty message of terraform-plugin-go's generated type.
func create(descriptor protoreflect.MessageDescriptor) (proto.Message, error) {
	generated, err := protoregistry.GlobalTypes.FindMessageByName(descriptor.FullName())
	if err != nil {
		return nil, err
	}
	return generated.New().Interface(), nil
}

func encode(descriptor protoreflect.MessageDescriptor, request message) (proto.Message, error) {
	text, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	created, err := create(descriptor)
	if err != nil {
		return nil, err
	}
	return created, protojson.Unmarshal(text, created)
}

// decode is the message as JSON, with its dynamic values in the clear.
func (p provider) decode(received proto.Message) (any, error) {
	if len(received.ProtoReflect().GetUnknown()) > 0 {
		return nil, fmt.Errorf("%s has fields that terraform-plugin-go does not know", proto.MessageName(received))
	}
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(received)
	if err != nil {
		return nil, err
	}
	var answer any
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, err
	}
	return p.readable("", answer)
}
