#!/usr/bin/env python3
"""Records what other implementations' compiled protocol files declare, one fact a line.

Our own protocol files are checked against these records by tests/proto.rs in the terraform and pulumi crates, which
render the descriptors that we compile in the same form. Only run this again to move to a newer protocol version:

    python3 -m venv venv && venv/bin/pip install 'protobuf<7'
    venv/bin/python record.py FILE... > RECORD.txt

FILE is a generated `*_pb2.py` of a Python package or a generated `*.pb.go` of a Go module; nothing in it is executed.
The records here were made from

    pulumi.txt         Python package pulumi 3.272.0: pulumi/runtime/proto/{alias,plugin,engine,errors,provider,status}_pb2.py
    tfplugin5-5.10.txt Go module github.com/hashicorp/terraform-plugin-go v0.31.0: tfprotov5/internal/tfplugin5/tfplugin5.pb.go
    tfplugin6-6.5.txt  Python package tfplugin-proto-all 0.1.0: tfplugin_proto/tfplugin6_5_pb2.py
    tfplugin6-6.10.txt Go module github.com/hashicorp/terraform-plugin-go v0.31.0: tfprotov6/internal/tfplugin6/tfplugin6.pb.go
"""

import ast
import re
import sys

from google.protobuf import descriptor_pb2

FIELD = descriptor_pb2.FieldDescriptorProto


def read_python(text):
    """The descriptor is the one bytes literal that the module registers."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "AddSerializedFile":
            return node.args[0].value
    raise SystemExit("no descriptor in this Python module")


def read_go(text):
    """The descriptor is a constant made of string literals, one per line."""
    start = re.search(r'_rawDesc = "" \+\n', text)
    if not start:
        raise SystemExit("no descriptor in this Go file")
    data = b""
    for line in text[start.end():].split("\n"):
        literal = re.fullmatch(r'\s*"((?:[^"\\]|\\.)*)"(?: \+)?', line)
        if not literal:
            break
        escaped = "".join(c if ord(c) < 128 else "".join(f"\\x{b:02x}" for b in c.encode()) for c in literal.group(1))
        data += ast.literal_eval(f'b"{escaped}"')
    return data


def field_facts(field, message, scope):
    kind = field.type_name if field.type_name else FIELD.Type.Name(field.type)[5:].lower()
    label = FIELD.Label.Name(field.label)[6:].lower()
    if field.proto3_optional:
        label = "presence"
    oneof = ""
    if field.HasField("oneof_index") and not field.proto3_optional:
        oneof = f" oneof={message.oneof_decl[field.oneof_index].name}"
    return f"field {scope}.{field.name} = {field.number} {label} {kind}{oneof}"


def enum_facts(enum, scope):
    yield f"enum {scope}.{enum.name}"
    for value in enum.value:
        yield f"value {scope}.{enum.name}.{value.name} = {value.number}"


def message_facts(message, scope):
    name = f"{scope}.{message.name}"
    yield f"message {name}" + (" map" if message.options.map_entry else "")
    for field in message.field:
        yield field_facts(field, message, name)
    for enum in message.enum_type:
        yield from enum_facts(enum, name)
    for nested in message.nested_type:
        yield from message_facts(nested, name)


def file_facts(file):
    for message in file.message_type:
        yield from message_facts(message, "." + file.package)
    for enum in file.enum_type:
        yield from enum_facts(enum, "." + file.package)
    for service in file.service:
        for method in service.method:
            request = ("stream " if method.client_streaming else "") + method.input_type
            response = ("stream " if method.server_streaming else "") + method.output_type
            yield f"method .{file.package}.{service.name}.{method.name}({request}) -> {response}"


def main():
    facts = set()
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as source:
            text = source.read()
        file = descriptor_pb2.FileDescriptorProto()
        file.ParseFromString(read_go(text) if path.endswith(".go") else read_python(text))
        facts.update(file_facts(file))
    print("\n".join(sorted(facts)))


main()
