/**
 * HAP's encrypted framing (HAP specification §6.5.2). Every frame has a length of two bytes, little endian, which is
 * also the additional authenticated data; at most 1,024 bytes of ciphertext; a Poly1305 tag of 16 bytes. The nonce is
 * 96 bits: four zero bytes and the frame number, 64 bits, little endian. This file handles bytes only: no HTTP, no
 * socket.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';

export const MAX_FRAME_BYTES = 1024;
const LENGTH_BYTES = 2;
const TAG_BYTES = 16;
const OVERHEAD_BYTES = LENGTH_BYTES + TAG_BYTES;
const CIPHER = 'chacha20-poly1305';
const CIPHER_OPTIONS = { authTagLength: TAG_BYTES } as const;

/**
 * The stream is corrupt, or not from the right peer. The connection must close, because no later byte can be trusted.
 */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** Counts frames. Two halves, because a 64-bit counter does not fit a JavaScript number. */
class FrameNonce {
  readonly #bytes = Buffer.alloc(12);
  #low = 0;
  #high = 0;

  /** The nonce of the next frame. It reuses one buffer: the cipher copies it. */
  next(): Buffer {
    this.#bytes.writeUInt32LE(this.#low, 4);
    this.#bytes.writeUInt32LE(this.#high, 8);
    this.#low = (this.#low + 1) >>> 0;
    if (this.#low === 0) this.#high = (this.#high + 1) >>> 0;
    return this.#bytes;
  }
}

/** Encrypts our side's stream. Frames are numbered, so the results must be sent in order. */
export class FrameEncoder {
  readonly #key: Buffer;
  readonly #nonce = new FrameNonce();

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Splits `plain` into frames and encrypts them into one buffer, so that they are sent in one write. */
  encode(plain: Buffer): Buffer {
    const frames = Math.ceil(plain.length / MAX_FRAME_BYTES);
    const sealed = Buffer.allocUnsafe(plain.length + frames * OVERHEAD_BYTES);
    let written = 0;
    for (let start = 0; start < plain.length; start += MAX_FRAME_BYTES) {
      const piece = frames === 1 ? plain : plain.subarray(start, start + MAX_FRAME_BYTES);
      written += this.#seal(piece, sealed, written);
    }
    return sealed;
  }

  #seal(plain: Buffer, into: Buffer, at: number): number {
    into.writeUInt16LE(plain.length, at);
    const cipher = createCipheriv(CIPHER, this.#key, this.#nonce.next(), CIPHER_OPTIONS);
    cipher.setAAD(into.subarray(at, at + LENGTH_BYTES), { plaintextLength: plain.length });
    into.set(cipher.update(plain), at + LENGTH_BYTES);
    cipher.final();
    into.set(cipher.getAuthTag(), at + LENGTH_BYTES + plain.length);
    return plain.length + OVERHEAD_BYTES;
  }
}

/**
 * Decrypts the peer's stream, in chunks of any size. Whole frames are decrypted in place. Only a frame that is split
 * over chunks is copied, into a buffer of one frame, so that memory is bounded.
 */
export class FrameDecoder {
  readonly #key: Buffer;
  readonly #nonce = new FrameNonce();
  #partial: Buffer | undefined;
  #held = 0;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Whether a frame has begun and not ended. */
  get unfinished(): boolean {
    return this.#held > 0;
  }

  /**
   * Calls `deliver` with the plaintext of each frame that `chunk` completes, in order.
   * @throws FrameError on a wrong tag, or an empty or oversized frame. Earlier frames were delivered.
   */
  push(chunk: Buffer, deliver: (plain: Buffer) => void): void {
    let rest = this.#held > 0 ? this.#completePartial(chunk, deliver) : chunk;
    while (rest.length >= LENGTH_BYTES) {
      const size = frameSize(rest);
      if (rest.length < size) break;
      deliver(this.#open(rest.subarray(0, size)));
      rest = rest.subarray(size);
    }
    if (rest.length > 0) this.#hold(rest);
  }

  /** Adds to the partial frame. @returns the part of `chunk` beyond it */
  #completePartial(chunk: Buffer, deliver: (plain: Buffer) => void): Buffer {
    let used = 0;
    if (this.#held < LENGTH_BYTES) {
      used = Math.min(LENGTH_BYTES - this.#held, chunk.length);
      this.#hold(chunk.subarray(0, used));
      if (this.#held < LENGTH_BYTES) return chunk.subarray(used);
    }
    const partial = this.#partial as Buffer;
    const missing = frameSize(partial) - this.#held;
    const taken = chunk.subarray(used, used + missing);
    this.#hold(taken);
    if (taken.length === missing) {
      const frame = partial.subarray(0, this.#held);
      this.#held = 0;
      deliver(this.#open(frame));
    }
    return chunk.subarray(used + taken.length);
  }

  #hold(bytes: Buffer): void {
    this.#partial ??= Buffer.allocUnsafeSlow(MAX_FRAME_BYTES + OVERHEAD_BYTES);
    this.#partial.set(bytes, this.#held);
    this.#held += bytes.length;
  }

  #open(frame: Buffer): Buffer {
    const end = frame.length - TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, this.#key, this.#nonce.next(), CIPHER_OPTIONS);
    decipher.setAAD(frame.subarray(0, LENGTH_BYTES), { plaintextLength: end - LENGTH_BYTES });
    decipher.setAuthTag(frame.subarray(end));
    const plain = decipher.update(frame.subarray(LENGTH_BYTES, end));
    try {
      decipher.final();
    } catch {
      throw new FrameError('An encrypted frame does not carry its right tag');
    }
    return plain;
  }
}

function frameSize(frame: Buffer): number {
  const length = frame.readUInt16LE(0);
  if (length === 0 || length > MAX_FRAME_BYTES) throw new FrameError(`A frame claims to be ${length} bytes long`);
  return length + OVERHEAD_BYTES;
}
