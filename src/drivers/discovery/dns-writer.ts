/**
 * Writes multicast DNS messages (RFC 6762 §18): the queries of discovery, and the answers, probes and goodbyes of our
 * own advertisement. Names may hold dots, which the usual encoder cannot write.
 */
import { isIPv4 } from 'node:net';
import {
  ANY_TYPE,
  type AskedQuestion,
  CLASS_IN,
  type DnsQuestion,
  type DnsRecord,
  HEADER_BYTES,
  type RecordType,
  TOP_BIT,
  TYPE_NUMBERS,
} from './dns-message.ts';
import { labelsOf, MAX_LABEL_BYTES, nameKey, nameOf } from './dns-name.ts';

/** Asserts that a name has records of these types only (NSEC, RFC 6762 §6.1). */
export interface Denial {
  readonly type: 'NSEC';
  readonly name: string;
  readonly ttlSeconds: number;
  readonly flush: true;
  readonly types: readonly RecordType[];
}

/** A PTR record that the asker already knows (RFC 6762 §7.1). */
export interface KnownAnswer {
  readonly name: string;
  readonly target: string;
  readonly ttlSeconds: number;
}

export type OwnRecord = DnsRecord | Denial;

export interface Response {
  readonly answers: readonly OwnRecord[];
  /** Omitted if they do not fit. */
  readonly additionals?: readonly OwnRecord[];
  /** For a plain DNS client, whose question the response repeats (RFC 6762 §6.7). */
  readonly plain?: { readonly id: number; readonly questions: readonly AskedQuestion[] };
}

/** Fits an Ethernet frame behind IP and UDP headers, with room for PPPoE and tunnels. */
export const MAX_MESSAGE_BYTES = 1_400;
const COMPRESSION_REACH = 0x3fff;
const NSEC_TYPE = 47;
const AUTHORITATIVE_RESPONSE = 0x8400;
/** RFC 6762 §6.7: plain DNS caches do not process goodbyes. */
const PLAIN_TTL_SECONDS = 10;

/**
 * Writes one query. Known answers that do not fit are omitted: their owners answer once more, which is harmless.
 * @param unicast requests responses to our own address and port instead of the group
 */
export function writeQuery(
  questions: readonly DnsQuestion[],
  options: { readonly knownAnswers?: readonly KnownAnswer[]; readonly unicast?: boolean; readonly id?: number } = {},
): Buffer {
  const writer = new MessageWriter();
  const questionClass = CLASS_IN | (options.unicast ? TOP_BIT : 0);
  for (const { name, type } of questions) {
    writer.name(name);
    writer.uint16(TYPE_NUMBERS[type], questionClass);
  }
  let answers = 0;
  for (const { name, target, ttlSeconds } of options.knownAnswers ?? []) {
    const mark = writer.mark();
    writer.name(name);
    writer.uint16(TYPE_NUMBERS.PTR, CLASS_IN, Math.floor(ttlSeconds / 0x10000), ttlSeconds & 0xffff);
    writer.lengthOf(() => writer.name(target));
    if (writer.length > MAX_MESSAGE_BYTES) {
      writer.back(mark);
      break;
    }
    answers += 1;
  }
  return writer.finish({ id: options.id ?? 0, questions: questions.length, answers });
}

/** Probes for these names, and lists the records that we claim (RFC 6762 §8.1, §8.2). */
export function writeProbe(names: readonly string[], claims: readonly DnsRecord[]): Buffer {
  const writer = new MessageWriter();
  for (const name of names) {
    writer.name(name);
    // Not QU, which the RFC recommends: other responders of this machine share the port, and one of them would get the
    // answer (§15.1).
    writer.uint16(ANY_TYPE, CLASS_IN);
  }
  for (const record of claims) writer.record({ ...record, flush: false });
  return writer.finish({ questions: names.length, proposed: claims.length });
}

/** Writes a response. */
export function writeResponse({ answers, additionals = [], plain }: Response): Buffer {
  const writer = new MessageWriter();
  const present = (record: OwnRecord): OwnRecord =>
    plain
      ? ({ ...record, flush: false, ttlSeconds: Math.min(record.ttlSeconds, PLAIN_TTL_SECONDS) } as OwnRecord)
      : record;
  for (const { name, type } of plain?.questions ?? []) {
    writer.name(name);
    writer.uint16(type, CLASS_IN);
  }
  for (const record of answers) writer.record(present(record), plain !== undefined);
  let more = 0;
  for (const record of additionals) {
    const mark = writer.mark();
    writer.record(present(record), plain !== undefined);
    if (writer.length > MAX_MESSAGE_BYTES) {
      writer.back(mark);
      break;
    }
    more += 1;
  }
  return writer.finish({
    id: plain?.id ?? 0,
    flags: AUTHORITATIVE_RESPONSE,
    questions: plain?.questions.length ?? 0,
    answers: answers.length,
    additionals: more,
  });
}

/** The contents of a record as bytes, names uncompressed and in lower case: the form that RFC 6762 §8.2 compares. */
export function contentsOf(record: DnsRecord): Buffer {
  const writer = new MessageWriter();
  // As the only name in its message, it can't be compressed.
  writer.contents('target' in record ? { ...record, target: nameKey(record.target) } : record);
  return writer.finish({}).subarray(HEADER_BYTES);
}

/** The maximum size of a question: without compression. */
export function questionBytes({ name }: DnsQuestion): number {
  return labelsOf(name).reduce((sum, label) => sum + label.length + 1, 1) + 4;
}

/** A message under construction, with name compression. */
class MessageWriter {
  #bytes: number[] = Array.from({ length: HEADER_BYTES }, () => 0);
  readonly #suffixes = new Map<string, number>();

  get length(): number {
    return this.#bytes.length;
  }

  mark(): number {
    return this.#bytes.length;
  }

  /** Discards everything written since `mark`. */
  back(mark: number): void {
    this.#bytes = this.#bytes.slice(0, mark);
    for (const [suffix, offset] of this.#suffixes) if (offset >= mark) this.#suffixes.delete(suffix);
  }

  uint16(...values: readonly number[]): void {
    for (const value of values) this.#bytes.push((value >> 8) & 0xff, value & 0xff);
  }

  name(name: string, mayPoint = true): void {
    const labels = labelsOf(name);
    for (let at = 0; at < labels.length; at += 1) {
      const suffix = nameOf(labels.slice(at));
      const known = mayPoint ? this.#suffixes.get(suffix) : undefined;
      if (known !== undefined) {
        this.uint16(0xc000 | known);
        return;
      }
      if (this.#bytes.length <= COMPRESSION_REACH) this.#suffixes.set(suffix, this.#bytes.length);
      const label = (labels[at] as Buffer).subarray(0, MAX_LABEL_BYTES);
      this.#bytes.push(label.length, ...label);
    }
    this.#bytes.push(0);
  }

  /** Writes a length prefix and then the output of `write`. */
  lengthOf(write: () => void): void {
    const at = this.#bytes.length;
    this.uint16(0);
    write();
    const length = this.#bytes.length - at - 2;
    this.#bytes[at] = length >> 8;
    this.#bytes[at + 1] = length & 0xff;
  }

  /** @param forPlainDns writes names inside the record uncompressed, as plain DNS requires (RFC 6762 §18.14) */
  record(record: OwnRecord, forPlainDns = false): void {
    const { name, type, flush, ttlSeconds } = record;
    this.name(name);
    const number = type === 'NSEC' ? NSEC_TYPE : TYPE_NUMBERS[type];
    this.uint16(number, CLASS_IN | (flush ? TOP_BIT : 0), Math.floor(ttlSeconds / 0x10000), ttlSeconds & 0xffff);
    this.lengthOf(() => this.contents(record, forPlainDns));
  }

  contents(record: OwnRecord, forPlainDns = false): void {
    switch (record.type) {
      case 'PTR':
        this.name(record.target);
        break;
      case 'SRV':
        // Priority and weight: only one server exists.
        this.uint16(0, 0, record.port);
        this.name(record.target, !forPlainDns);
        break;
      case 'TXT':
        for (const string of record.strings) this.#bytes.push(string.length, ...string);
        break;
      case 'A':
      case 'AAAA':
        this.#bytes.push(...addressBytes(record.address));
        break;
      case 'NSEC':
        this.name(record.name);
        this.#bytes.push(...typeBitmap(record.types));
        break;
    }
  }

  finish(head: {
    readonly id?: number;
    readonly flags?: number;
    readonly questions?: number;
    readonly answers?: number;
    readonly proposed?: number;
    readonly additionals?: number;
  }): Buffer {
    const packet = Buffer.from(this.#bytes);
    const { id = 0, flags = 0, questions = 0, answers = 0, proposed = 0, additionals = 0 } = head;
    for (const [at, value] of [id, flags, questions, answers, proposed, additionals].entries()) {
      packet.writeUInt16BE(value, at * 2);
    }
    return packet;
  }
}

function addressBytes(address: string): readonly number[] {
  if (isIPv4(address)) return address.split('.').map(Number);
  const [head = '', tail] = address.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** RFC 4034 §4.1.2: window block 0, one bit per type. */
function typeBitmap(types: readonly RecordType[]): readonly number[] {
  const numbers = types.map((type) => TYPE_NUMBERS[type]);
  const bits = Array.from({ length: (Math.max(...numbers) >> 3) + 1 }, () => 0);
  for (const number of numbers) bits[number >> 3] = (bits[number >> 3] as number) | (0x80 >> (number & 7));
  return [0, bits.length, ...bits];
}
