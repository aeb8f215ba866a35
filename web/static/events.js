// The events of a server, asked for with headers, which an EventSource cannot send: who asks is told
// where no log of a proxy has it, and not in the address. It tells them as an EventSource does, and the
// end, whatever it is, as "error"; it does not come again by itself.

export class FetchedEvents extends EventTarget {
  #ended = new AbortController();

  constructor(url, headers) {
    super();
    this.#read(url, headers)
      .catch(() => {}) // the end is told below
      .finally(() => this.#ended.signal.aborted || this.dispatchEvent(new Event("error")));
  }

  close() {
    this.#ended.abort();
  }

  async #read(url, headers) {
    const { ok, body } = await fetch(url, { headers, cache: "no-store", signal: this.#ended.signal });
    if (!ok) return body.cancel();
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ; ) {
      const { value, done } = await reader.read();
      if (done) return;
      const events = (text + value).split("\n\n");
      text = events.pop();
      for (const event of events) this.#tell(event);
    }
  }

  #tell(text) {
    const fields = Object.fromEntries(text.split("\n").map((line) => line.split(/: (.*)/s, 2)));
    this.dispatchEvent(new MessageEvent(fields.event, { data: fields.data, lastEventId: fields.id }));
  }
}
