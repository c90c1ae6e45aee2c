export const LF = 0x0a;
export const CR = 0x0d;

/** Finds the end of a JSON object that arrives in chunks. */
export class ObjectScan {
  #depth = 0;
  #inString = false;
  #escaped = false;
  begun = false;

  /** @returns the end of the object in `bytes`; `undefined` if it continues; or that the data is not an object */
  push(bytes: Buffer): number | undefined | 'not-an-object' {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (!this.begun && byte !== 0x7b) {
        if (byte === 0x20 || byte === 0x09 || byte === CR || byte === LF) continue;
        return 'not-an-object';
      }
      this.begun = true;
      this.#read(byte);
      if (this.#depth === 0) return at + 1;
    }
    return undefined;
  }

  #read(byte: number | undefined): void {
    if (this.#escaped) this.#escaped = false;
    else if (this.#inString) {
      if (byte === 0x5c) this.#escaped = true;
      else if (byte === 0x22) this.#inString = false;
    } else if (byte === 0x22) this.#inString = true;
    else if (byte === 0x7b || byte === 0x5b) this.#depth += 1;
    else if (byte === 0x7d || byte === 0x5d) this.#depth -= 1;
  }
}
