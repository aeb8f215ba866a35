// Events asked for with headers: of a real server, cut anywhere, and how they end.

import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { test } from "node:test";

const { FetchedEvents } = await import(
  `data:text/javascript,${encodeURIComponent(await readFile("web/static/events.js", "utf8"))}`
);

// A server that answers as `answer` does, and events asked of it.
async function asked(answer) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const source = new FetchedEvents(`http://127.0.0.1:${server.address().port}/events`, { "X-Who": "secret" });
  return { server, source, end: () => (source.close(), server.close(), server.closeAllConnections()) };
}

const TOLD = 'event: state\nid: 3\ndata: {"a": "b: ♠"}\n\nevent: alive\nid: 4\ndata: 17\n\n';

test("they are told as they came, wherever they were cut, and so is the end", async () => {
  let headers;
  const { source, end } = await asked(async (request, response) => {
    headers = request.headers;
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const byte of Buffer.from(TOLD)) await new Promise((sent) => response.write(Buffer.of(byte), sent));
    response.end();
  });
  const told = [];
  for (const name of ["state", "alive"]) source.addEventListener(name, ({ type, data, lastEventId }) => told.push([type, data, lastEventId]));
  await once(source, "error");
  assert.deepEqual(told, [["state", '{"a": "b: ♠"}', "3"], ["alive", "17", "4"]]);
  assert.equal(headers["x-who"], "secret");
  end();
});

for (const [how, answer] of [
  ["a refusal", (_, response) => response.writeHead(503).end(TOLD)],
  ["a server that hangs up", (request) => request.socket.destroy()],
])
  test(`${how} is an error, and tells nothing`, async () => {
    const { source, end } = await asked(answer);
    source.addEventListener("state", () => assert.fail("a state"));
    await once(source, "error");
    end();
  });

test("what was closed tells nothing any more, and the server is let go", async () => {
  let gone;
  const { source, end } = await asked((request, response) => {
    gone = once(response, "close");
    response.writeHead(200).write(TOLD);
  });
  for (const name of ["error", "late"]) source.addEventListener(name, () => assert.fail(name));
  await once(source, "alive");
  source.close();
  await gone;
  end();
});
