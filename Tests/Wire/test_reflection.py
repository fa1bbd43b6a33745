"""A generic client that knows nothing of our services finds and calls them by reflection."""

import grpc
import pytest
from google.protobuf import descriptor_pool, json_format, message_factory
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

SERVICES = [
    "google.firestore.emulator.v1.FirestoreEmulator", "google.firestore.v1.Firestore", "grpc.health.v1.Health",
    "grpc.reflection.v1.ServerReflection",
]


@pytest.fixture
def channel(server):
    with grpc.insecure_channel(server.address) as channel:
        yield channel


@pytest.fixture
def pool(channel):
    return descriptor_pool.DescriptorPool(ProtoReflectionDescriptorDatabase(channel))


def invoke(channel, pool, path, fields):
    """The answer of a unary method to a request in JSON, as JSON."""
    service, name = path.split("/")
    method = pool.FindServiceByName(service).methods_by_name[name]
    request = json_format.ParseDict(fields, message_factory.GetMessageClass(method.input_type)(), descriptor_pool=pool)
    answer = message_factory.GetMessageClass(method.output_type)
    stub = channel.unary_unary(f"/{path}", type(request).SerializeToString, answer.FromString)
    return json_format.MessageToDict(stub(request, timeout=10), descriptor_pool=pool)


def test_services(channel):
    assert sorted(ProtoReflectionDescriptorDatabase(channel).get_services()) == SERVICES


def test_every_service_is_described(channel, pool):
    for service in SERVICES:
        for method in pool.FindServiceByName(service).methods:
            assert method.input_type.file.pool is pool and method.output_type.full_name


def test_descriptors_are_those_of_the_sdk(pool):
    from google.cloud.firestore_v1.types import firestore

    theirs = firestore.RunQueryRequest.pb().DESCRIPTOR.file.pool
    names, seen = [method.input_type.full_name for method in pool.FindServiceByName(SERVICES[1]).methods], set()
    while names:
        name = names.pop()
        if name in seen:
            continue
        seen.add(name)
        ours = pool.FindMessageTypeByName(name)
        try:
            known = theirs.FindMessageTypeByName(name)
        except KeyError:
            continue  # newer than this SDK
        for field in ours.fields:
            if field.message_type is not None:
                names.append(field.message_type.full_name)
            other = known.fields_by_number.get(field.number)
            if other is None:
                continue
            assert (field.name, field.type, field.is_repeated, field.json_name) == (
                other.name.rstrip("_"), other.type, other.is_repeated, other.json_name), (name, field.name)
            assert (field.containing_oneof and field.containing_oneof.name) == (
                other.containing_oneof and other.containing_oneof.name), (name, field.name)
            if field.enum_type is not None:
                numbers = {value.number: value.name for value in other.enum_type.values}
                for value in field.enum_type.values:
                    assert numbers.get(value.number, value.name) == value.name
    assert len(seen) > 40


def test_a_document_by_reflection(channel, pool, stored):
    name = stored.path.removeprefix("/v1/")
    document = invoke(channel, pool, "google.firestore.v1.Firestore/GetDocument", {"name": name})
    assert document["name"] == name and document["fields"] == stored.document["fields"]


def test_health_by_reflection(channel, pool):
    for service in ["", "google.firestore.v1.Firestore"]:
        assert invoke(channel, pool, "grpc.health.v1.Health/Check", {"service": service}) == {"status": "SERVING"}


def test_what_is_not_there(channel):
    database = ProtoReflectionDescriptorDatabase(channel)
    for find in [lambda: database.FindFileByName("x.proto"), lambda: database.FindFileContainingSymbol("x.Y")]:
        with pytest.raises(KeyError):
            find()


def test_noise(channel):
    for version in ["v1", "v1alpha"]:
        stub = channel.stream_stream(f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo")
        answers = list(stub(iter([b"", b"\x1a\0", b"\x22\0", b"\x2a\0", b"\x32\0", b"\x3a\0"]), timeout=10))
        assert len(answers) == 6
        with pytest.raises(grpc.RpcError) as raised:
            list(stub(iter([b"\xff"]), timeout=10))
        assert raised.value.code() == grpc.StatusCode.INVALID_ARGUMENT
