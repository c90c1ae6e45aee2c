export const NO_BODY = Buffer.alloc(0);

/**
 * Collects a body. It grows with the received bytes, not with the announced length, and keeps no small chunks alive.
 */
export class GrowingBuffer {
  #bytes: Buffer = NO_BODY;
  length = 0;

  append(piece: Buffer): void {
    const needed = this.length + piece.length;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length, 4_096));
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.length);
    this.length = needed;
  }

  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.length);
    this.#bytes = NO_BODY;
    this.length = 0;
    return taken;
  }
}
