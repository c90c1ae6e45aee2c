/** A client of server-sent events, by the letter of WHATWG HTML §9.2: reads as it comes, or waits for the test. */

export interface ReceivedEvent {
  /** Of the last event that had one, as browsers send it when they come back. */
  readonly id: string;
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails if it is not there.
  readonly data: any;
}

export class EventStreamClient {
  readonly response: Response;
  readonly events: ReceivedEvent[] = [];
  comments = 0;
  isOver = false;
  lastId = '';
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #rest = '';
  #name = '';
  #data: string[] = [];

  constructor(response: Response, { reads = true } = {}) {
    this.response = response;
    this.#reader = response.body?.getReader();
    if (reads) void this.read();
  }

  /** The data of the events of these names, of all if none is named. */
  received(...names: readonly string[]): readonly ReceivedEvent['data'][] {
    return this.events.filter(({ name }) => names.length === 0 || names.includes(name)).map(({ data }) => data);
  }

  get last(): ReceivedEvent | undefined {
    return this.events.at(-1);
  }

  async cancel(): Promise<void> {
    await this.#reader?.cancel().catch(() => {});
  }

  /** Reads until the stream is over, however that comes. */
  async read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const piece = await this.#reader?.read();
        if (!piece || piece.done) break;
        this.#take(decoder.decode(piece.value, { stream: true }));
      }
    } catch {
      // The connection was cut: that is an end too.
    }
    this.isOver = true;
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#takeLine(line);
  }

  #takeLine(line: string): void {
    if (line === '') this.#dispatch();
    else if (line.startsWith(':')) this.comments += 1;
    else this.#takeField(line);
  }

  #takeField(line: string): void {
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'id') this.lastId = value;
    else if (field === 'event') this.#name = value;
    else if (field === 'data') this.#data.push(value);
  }

  #dispatch(): void {
    if (this.#data.length > 0) {
      const data = JSON.parse(this.#data.join('\n'));
      this.events.push({ id: this.lastId, name: this.#name || 'message', data });
    }
    this.#name = '';
    this.#data = [];
  }
}
