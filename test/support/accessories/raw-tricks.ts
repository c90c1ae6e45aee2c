/** What the raw accessory can do to one reply, down to its bytes. Tricks combine, and are used up. */
import type { Socket } from 'node:net';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { RawRequest } from './raw-wire.ts';

export interface Trick {
  /** Which request it is played on: the next secured one by default. */
  readonly on?: (request: RawRequest) => boolean;
  /** On how many requests; 1 by default. */
  readonly times?: number;

  /** Nothing is carried out, so a write is lost. It is carried out and answered otherwise. */
  readonly apply?: false;
  /** No answer at all. */
  readonly silence?: true;
  readonly delayMs?: number;
  /** This status with `{"status":-70402}`, or with `body`, instead of the true answer. */
  readonly status?: number;
  /** This body instead of the true one. */
  readonly body?: string;
  /** These plain bytes instead of the whole reply, head included. */
  readonly replyText?: string | Buffer;

  /** An event message between request and reply, with these characteristics in this order. */
  readonly eventBefore?: readonly object[];
  /** One glued to the reply, in the same segment. */
  readonly eventAfter?: readonly object[];
  /** Chunked transfer encoding, so many bytes a chunk. */
  readonly chunkBytes?: number;
  /** Text bytes in a frame; 1024 by default. */
  readonly frameBytes?: number;

  /** The wire bytes are written in pieces of this size, or cut at these offsets. */
  readonly pieces?: number | readonly number[];
  /** One bit of the wire byte at this offset is flipped; a negative offset counts from the end. */
  readonly corruptAt?: number;
  /** The connection is closed after so many wire bytes; 0 sends none. */
  readonly cutAt?: number;
  /** How it is closed; `close` by default. */
  readonly cutWith?: 'close' | 'reset';
}

/** Tricks waiting for their request. */
export class TrickQueue {
  readonly #waiting: { trick: Trick; left: number }[] = [];

  add(trick: Trick): void {
    this.#waiting.push({ trick, left: trick.times ?? 1 });
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  take(request: RawRequest): Trick | undefined {
    const index = this.#waiting.findIndex(({ trick }) => trick.on?.(request) ?? request.encrypted);
    const entry = this.#waiting[index];
    if (!entry) return undefined;
    entry.left -= 1;
    if (entry.left <= 0) this.#waiting.splice(index, 1);
    return entry.trick;
  }
}

/** Writes a reply's wire bytes as the trick has it. Resolves when the last piece is handed to the socket. */
export async function writeWithTrick(socket: Socket, wire: Buffer, trick: Trick): Promise<void> {
  const bytes = corrupt(wire, trick.corruptAt).subarray(0, trick.cutAt ?? wire.length);
  for (const piece of split(bytes, trick.pieces)) {
    if (socket.destroyed) return;
    socket.write(piece);
    // A turn of the event loop, so that the pieces leave as segments of their own.
    await nextTick();
  }
  if (trick.cutAt === undefined) return;
  if (trick.cutWith === 'reset') socket.resetAndDestroy();
  else socket.destroySoon();
}

function corrupt(wire: Buffer, offset: number | undefined): Buffer {
  if (offset === undefined) return wire;
  const copy = Buffer.from(wire);
  const index = offset < 0 ? copy.length + offset : offset;
  copy[index] = (copy[index] ?? 0) ^ 0x01;
  return copy;
}

function split(bytes: Buffer, pieces: Trick['pieces']): readonly Buffer[] {
  if (bytes.length === 0) return [];
  if (pieces === undefined) return [bytes];
  const cuts =
    typeof pieces === 'number'
      ? Array.from({ length: Math.ceil(bytes.length / pieces) - 1 }, (_, index) => (index + 1) * pieces)
      : pieces.filter((cut) => cut > 0 && cut < bytes.length);
  return [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index] ?? bytes.length));
}
