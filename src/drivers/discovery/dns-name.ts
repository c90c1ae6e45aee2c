/**
 * DNS names as text. A service instance label is free text: it may hold dots and any UTF-8 (RFC 6763 §4.1.1), so labels
 * joined with dots are ambiguous. Names are kept in the presentation form of RFC 6763 §4.3 instead: a dot or backslash
 * inside a label is escaped (`Living\.Room v1\.2._hap._tcp.local`), and each name converts back into its labels byte
 * for byte.
 */
import { isUtf8 } from 'node:buffer';

/** RFC 1035 §2.3.4. */
export const MAX_LABEL_BYTES = 63;
const MAX_NAME_BYTES = 255;

/** `_hap`, `_tcp` and `local`. */
const SERVICE_LABELS = 3;
const DOT = 0x2e;
const BACKSLASH = 0x5c;
const HIGH_BIT = 0x80;
const NON_ASCII = /[\u0080-\uffff]/;

export class MalformedName extends Error {
  override readonly name = 'MalformedName';
}

/** The form for comparison: DNS folds the case of ASCII letters only (RFC 6762 §16). */
export function nameKey(name: string): string {
  return NON_ASCII.test(name) ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name.toLowerCase();
}

/**
 * The display name of a service instance: of `Living\\.Room._hap._tcp.local` it is `Living.Room`. Some responders (such
 * as ciao) send a name with dots as several labels; the result includes them.
 */
export function instanceName(name: string): string {
  const labels = labelsOf(name).slice(0, -SERVICE_LABELS);
  return labels.map((label) => decodeText(label) ?? label.toString('utf8')).join('.');
}

/** Splits a name in text form into its labels. */
export function labelsOf(name: string): Buffer[] {
  const bytes = Buffer.from(name);
  const labels: Buffer[] = [];
  let label: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === DOT) {
      labels.push(Buffer.from(label));
      label = [];
    } else if (byte === BACKSLASH) {
      const decimal = /^\d{3}/.exec(bytes.toString('latin1', at + 1, at + 4));
      label.push(decimal ? Number(decimal[0]) & 0xff : (bytes[at + 1] ?? BACKSLASH));
      at += decimal ? 3 : 1;
    } else {
      label.push(byte);
    }
  }
  if (label.length > 0) labels.push(Buffer.from(label));
  return labels;
}

/** Joins labels into the text form. Bytes that are not UTF-8 become `\ddd`, so that the name can still be queried. */
export function nameOf(labels: readonly Buffer[]): string {
  return labels.map(escapeLabel).join('.');
}

/** The target of a pointer: the name there, and its length on the wire without the root label. */
interface Tail {
  readonly name: string;
  readonly bytes: number;
}

/**
 * Reads the names of one packet and follows compression pointers (RFC 1035 §4.1.4). Each pointer must point before the
 * last one, so that no packet causes a loop. A pointer target is parsed once, so that pointers cost no more work than
 * other bytes.
 */
export class NameReader {
  readonly #packet: Buffer;
  /** By start offset. */
  readonly #tails = new Map<number, Tail>();

  constructor(packet: Buffer) {
    this.#packet = packet;
  }

  /** @returns the name at `offset` and the offset behind it. @throws {@link MalformedName} */
  read(offset: number): { name: string; end: number } {
    const packet = this.#packet;
    const labels: Buffer[] = [];
    let at = offset;
    let lowest = offset;
    let bytes = 0;
    /** The first pointer, and the labels before it. */
    let first:
      | { readonly target: number; readonly end: number; readonly labels: number; readonly bytes: number }
      | undefined;
    let tail: Tail = { name: '', bytes: 0 };
    for (;;) {
      const length = packet[at];
      if (length === undefined) throw new MalformedName('The name runs past the packet');
      if (length === 0) break;
      if (length >= 0xc0) {
        const target = ((length & 0x3f) << 8) | (packet[at + 1] ?? 0xff);
        if (target >= lowest) throw new MalformedName('A compression pointer must point backwards');
        first ??= { target, end: at + 2, labels: labels.length, bytes };
        lowest = target;
        at = target;
        const known = this.#tails.get(target);
        if (!known) continue;
        tail = known;
        bytes += known.bytes;
        if (bytes >= MAX_NAME_BYTES) throw new MalformedName('The name is too long');
        break;
      }
      bytes += length + 1;
      if (length > MAX_LABEL_BYTES || bytes >= MAX_NAME_BYTES) throw new MalformedName('The name is too long');
      if (at + 1 + length > packet.length) throw new MalformedName('The name runs past the packet');
      labels.push(packet.subarray(at + 1, at + 1 + length));
      at += length + 1;
    }
    if (!first) return { name: nameOf(labels), end: at + 1 };
    const led = { name: joined(nameOf(labels.slice(first.labels)), tail.name), bytes: bytes - first.bytes };
    this.#tails.set(first.target, led);
    return { name: joined(nameOf(labels.slice(0, first.labels)), led.name), end: first.end };
  }
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('.');
}

/** The offset behind the name at `offset`, without reading it. @throws {@link MalformedName} */
export function skipName(packet: Buffer, offset: number): number {
  for (let at = offset; ; ) {
    const length = packet[at];
    if (length === undefined) throw new MalformedName('The name runs past the packet');
    if (length === 0) return at + 1;
    if (length >= 0xc0) return at + 2;
    if (length > MAX_LABEL_BYTES) throw new MalformedName('A label is too long');
    at += length + 1;
  }
}

/** The bytes as text, or `undefined` if they are not UTF-8. */
export function decodeText(bytes: Buffer): string | undefined {
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

function escapeLabel(label: Buffer): string {
  const text = decodeText(label);
  if (text !== undefined) return text.replace(/[.\\]/g, '\\$&');
  return [...label]
    .map((byte) => (byte >= HIGH_BIT ? `\\${byte}` : String.fromCharCode(byte).replace(/[.\\]/, '\\$&')))
    .join('');
}
