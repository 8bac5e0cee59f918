"""A client of a node's gRPC services with the settings that grpcio has by itself.

It makes the calls that a file lists, and writes a line of JSON for each case: ../README.md.
"""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

HERE = Path(__file__).parent
descriptors = descriptor_pb2.FileDescriptorSet.FromString((HERE / "../.built/api.binpb").read_bytes())
pool = descriptor_pool.DescriptorPool()
for described in descriptors.file:
    pool.Add(described)

channels = {}


def channel_of(case):
    key = (case["address"], case["receiveLimit"], case["keepAliveMs"])
    if key not in channels:
        options = []
        if case["receiveLimit"] > 0:
            options.append(("grpc.max_receive_message_length", case["receiveLimit"]))
        if case["keepAliveMs"] > 0:
            options += [
                ("grpc.keepalive_time_ms", case["keepAliveMs"]),
                ("grpc.keepalive_permit_without_calls", 1),
                ("grpc.http2.max_pings_without_data", 0),
            ]
        channels[key] = grpc.insecure_channel(case["address"], options=options)
    return channels[key]


class Call:
    """One call, from its request to its status."""

    def __init__(self, case):
        self.case = case
        method = pool.FindMethodByName(f"{case['service']}.{case['method']}")
        request = message_factory.GetMessageClass(method.input_type)
        answer = message_factory.GetMessageClass(method.output_type)
        self.request = request.FromString(Path(case["request"]).read_bytes())
        self.path = f"/{case['service']}/{case['method']}"
        self.codecs = {"request_serializer": request.SerializeToString, "response_deserializer": answer.FromString}
        self.elements = []
        self.shown = ""

    def result(self):
        status, text = 0, ""
        try:
            self.exchange()
        except grpc.FutureCancelledError:
            status, text = grpc.StatusCode.CANCELLED.value[0], "cancelled"
        except grpc.RpcError as error:
            status, text = error.code().value[0], error.details()
        return {"status": status, "text": text, "elements": self.elements, "shown": self.shown}

    def exchange(self):
        channel, timeout = channel_of(self.case), self.case["deadlineMs"] / 1000 or None
        if self.case["kind"] == "unary":
            answering = channel.unary_unary(self.path, **self.codecs).future(self.request, timeout=timeout)
            if self.case["cancelAfterMs"] > 0:
                time.sleep(self.case["cancelAfterMs"] / 1000)
                answering.cancel()
            self.took(answering.result())
        elif self.case["kind"] == "both":
            self.read(channel.stream_stream(self.path, **self.codecs)(iter([self.request]), timeout=timeout))
        else:
            self.read(channel.unary_stream(self.path, **self.codecs)(self.request, timeout=timeout))

    def read(self, answers):
        answers_left = iter(answers)
        while True:
            if self.case["pauseMs"] > 0 and len(self.elements) < self.case["pauses"]:
                time.sleep(self.case["pauseMs"] / 1000)
            try:
                answer = next(answers_left)
            except StopIteration:
                return
            self.took(answer)
            if 0 < self.case["cancelAfter"] == len(self.elements):
                answers.cancel()

    def took(self, answer):
        written = answer.SerializeToString(deterministic=True)
        self.elements.append(sha256(written).hexdigest()[:16])
        if self.case["shows"] and len(self.elements) == 1:
            self.shown = written.hex()


def run(case):
    calls = []
    with ThreadPoolExecutor(case["atOnce"]) as pool:
        while len(calls) < case["times"]:
            if calls:
                time.sleep(case["restMs"] / 1000)
            calls += pool.map(lambda _: Call(case).result(), range(case["atOnce"]))
    return {"name": case["name"], "calls": calls}


for one in json.loads(Path(sys.argv[1]).read_text()):
    print(json.dumps(run(one)), flush=True)
