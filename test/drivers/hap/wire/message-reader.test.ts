import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Message, MessageError, MessageReader } from '../../../../src/drivers/hap/wire/message-reader.ts';

const LIMITS = { response: 100_000, event: 10_000 };

function read(chunks: readonly (string | Buffer)[], limits = LIMITS): string[] {
  const reader = new MessageReader(limits);
  const messages: Message[] = [];
  for (const chunk of chunks) reader.push(Buffer.from(chunk), (message) => messages.push(message));
  return messages.map(({ kind, status, body }) => `${kind} ${status} ${body.toString('latin1')}`);
}

const withLength = (line: string, body: string): string => `${line}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** A message as bytes and what must come out of it. */
const message = fc
  .record({
    event: fc.boolean(),
    status: fc.constantFrom(200, 204, 207, 400, 470, 503),
    body: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    chunkBytes: fc.option(fc.integer({ min: 1, max: 64 }), { nil: undefined }),
    lineEnd: fc.constantFrom('\r\n', '\n'),
    trailer: fc.boolean(),
  })
  .map(({ event, status, body, chunkBytes, lineEnd, trailer }) => {
    const code = event ? 200 : status;
    const start = event ? 'EVENT/1.0 200 OK' : `HTTP/1.1 ${status} Whatever`;
    const content = code === 204 ? Buffer.alloc(0) : body;
    const kind = event ? 'event' : 'response';
    const expected = `${kind} ${code} ${content.toString('latin1')}`;
    if (code === 204) return { wire: Buffer.from(`${start}${lineEnd}${lineEnd}`), expected };
    if (chunkBytes === undefined) {
      const head = `${start}${lineEnd}content-LENGTH:${content.length}${lineEnd}Date: today${lineEnd}${lineEnd}`;
      return { wire: Buffer.concat([Buffer.from(head), content]), expected };
    }
    const parts: Buffer[] = [Buffer.from(`${start}${lineEnd}Transfer-Encoding: Chunked${lineEnd}${lineEnd}`)];
    for (let at = 0; at < content.length; at += chunkBytes) {
      const part = content.subarray(at, at + chunkBytes);
      parts.push(Buffer.from(`${part.length.toString(16).toUpperCase()};x=1${lineEnd}`), part, Buffer.from(lineEnd));
    }
    parts.push(Buffer.from(`0${lineEnd}${trailer ? `X-Trailer: 1${lineEnd}` : ''}${lineEnd}`));
    return { wire: Buffer.concat(parts), expected };
  });

describe('the message reader', () => {
  it('reads any messages in any pieces', () => {
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 6 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 10 }),
        (messages, cuts) => {
          const wire = Buffer.concat(messages.map((one) => one.wire));
          const at = [...cuts.map((fraction) => Math.floor(fraction * wire.length))].sort((a, b) => a - b);
          const pieces = [0, ...at].map((start, index) => wire.subarray(start, at[index] ?? wire.length));
          expect(read(pieces)).toEqual(messages.map(({ expected }) => expected));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('reads every message byte by byte', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 3 }), (messages) => {
        const wire = Buffer.concat(messages.map((one) => one.wire));
        expect(read([...wire].map((byte) => Buffer.from([byte])))).toEqual(messages.map(({ expected }) => expected));
      }),
      { numRuns: 60 },
    );
  });

  it('reads heads that come again and again, each with its own body', () => {
    const start = fc.constantFrom('EVENT/1.0 200 OK', 'HTTP/1.1 204 No Content', 'EVENT/1.0 200 Fine');
    const again = fc.record({ start, body: fc.string({ unit: fc.constantFrom('a', '\r', '\n'), maxLength: 14 }) });
    fc.assert(
      fc.property(fc.array(again, { maxLength: 60 }), fc.integer({ min: 1, max: 50 }), (messages, bytes) => {
        const bodyOf = ({ start, body }: { start: string; body: string }): string =>
          start.includes('204') ? '' : body;
        const wire = messages.map((one) => withLength(one.start, bodyOf(one))).join('');
        const pieces = wire.match(new RegExp(`[\\s\\S]{1,${bytes}}`, 'g')) ?? [];
        expect(read(pieces)).toEqual(
          messages.map((one) => (one.start.includes('204') ? 'response 204 ' : `event 200 ${bodyOf(one)}`)),
        );
      }),
    );
  });

  it('ends with a message or an error, for every input', () => {
    const scraps = fc.constantFrom(
      'HTTP/1.1 200 OK\r\n',
      'EVENT/1.0 200 OK\r\n',
      'Content-Length: 5\r\n',
      'Transfer-Encoding: chunked\r\n',
      '\r\n',
      '5\r\n',
      '0\r\n\r\n',
      '{"a":"}"}',
      'garbage',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(scraps, fc.string({ maxLength: 20 })), { maxLength: 20 }), (chunks) => {
        try {
          read(chunks);
        } catch (error) {
          expect(error).toBeInstanceOf(MessageError);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('distinguishes an event between a request and its answer from the answer', () => {
    const wire = withLength('EVENT/1.0 200 OK', '{"x":1}') + withLength('HTTP/1.1 200 OK', '{"y":2}');
    expect(read([wire])).toEqual(['event 200 {"x":1}', 'response 200 {"y":2}']);
  });

  it.each([
    [
      'a chunked event and an answer',
      'EVENT/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
      '{}',
    ],
    [
      'an event that names no length',
      'EVENT/1.0 200 OK\r\nContent-Type: application/hap+json\r\n\r\n{"a":[{"b":"}"}]}',
      '{"a":[{"b":"}"}]}',
    ],
    ['an event that names nothing at all', 'EVENT/1.0 200 OK\r\n\r\n{"a":"\\"}"}', '{"a":"\\"}"}'],
    ['an event that is empty', 'EVENT/1.0 200 OK\r\n\r\n', ''],
  ])('reads %s, glued to what follows', (_name, wire, body) => {
    expect(read([`${wire}HTTP/1.1 204 No Content\r\n\r\n`])).toEqual([`event 200 ${body}`, 'response 204 ']);
  });

  it('reads a body without a stated length in pieces, since its type promises one', () => {
    const wire =
      'HTTP/1.1 200 OK\r\nContent-Type: application/hap+json\r\n\r\n{"a":"}","b":[1]}HTTP/1.1 204 No Content\r\n\r\n';
    expect(read([...wire])).toEqual(['response 200 {"a":"}","b":[1]}', 'response 204 ']);
  });

  it('takes header and body in separate packets, and skips 100 Continue', () => {
    expect(read(['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n', 'ok'])).toEqual([
      'response 200 ok',
    ]);
  });

  it('ignores what a 204 declares about a body', () => {
    expect(
      read([
        'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n',
        'HTTP/1.1 204\r\nTransfer-Encoding: chunked\r\n\r\n',
      ]),
    ).toEqual(['response 204 ', 'response 204 ']);
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['a body left over', `${withLength('HTTP/1.1 200 OK', 'ab')}cd\r\n`],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
    ['a length of words', 'HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n'],
    ['an unknown coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n'],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n'],
    ['a chunk longer than its size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
    ['a body over the limit', withLength('EVENT/1.0 200 OK', 'x'.repeat(10_001))],
    ['chunks over the limit', 'EVENT/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFF\r\n'],
    ['a head without an end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(9000)}`],
    ['endless trailers', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n${'A: b\r\n'.repeat(40)}`],
    ['an endless object', `EVENT/1.0 200 OK\r\nContent-Type: x\r\n\r\n{${'[1],'.repeat(4000)}`],
  ])('gives up on %s', (_name, wire) => {
    expect(() => read([wire])).toThrow(MessageError);
    expect(() => read([...wire])).toThrow(MessageError);
  });

  it('holds no more memory than has come, however much was promised', () => {
    const reader = new MessageReader({ response: 8 * 1024 * 1024, event: 0 });
    const before = process.memoryUsage().arrayBuffers;
    const readers = Array.from({ length: 200 }, () => new MessageReader({ response: 8 * 1024 * 1024, event: 0 }));
    for (const one of [reader, ...readers]) {
      one.push(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 8000000\r\n\r\n{'), () => {});
      expect(one.unfinished).toBe(true);
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20 * 1024 * 1024);
  });
});
