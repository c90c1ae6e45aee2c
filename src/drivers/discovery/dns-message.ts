/**
 * Multicast DNS messages (RFC 6762 §18) as far as browsing needs them: reading PTR, SRV, TXT, A and AAAA records from
 * responses, and writing queries. It is our own because the usual decoder splits instance names at their dots, drops a whole
 * packet for one bad record, and cannot ask for a name that holds a dot.
 */
import { LONGEST_LABEL_BYTES, labelsOf, nameOf, readName, skipName } from './dns-name.ts';

export type RecordType = 'PTR' | 'SRV' | 'TXT' | 'A' | 'AAAA';

interface RecordHead {
  /** Owner name in text form; compare with `nameKey`. */
  readonly name: string;
  readonly ttlSeconds: number;
  /** The cache-flush bit: this record replaces the others of its name and type (RFC 6762 §10.2). */
  readonly flush: boolean;
}

export type DnsRecord =
  | (RecordHead & { readonly type: 'PTR'; readonly target: string })
  | (RecordHead & { readonly type: 'SRV'; readonly target: string; readonly port: number })
  | (RecordHead & { readonly type: 'TXT'; readonly strings: readonly Buffer[] })
  | (RecordHead & { readonly type: 'A' | 'AAAA'; readonly address: string });

export type DnsRecordOf<T extends RecordType> = DnsRecord & { readonly type: T };

export interface Question {
  readonly name: string;
  readonly type: RecordType;
}

/** A PTR record that the asker knows already and needs no answer for (RFC 6762 §7.1). */
export interface KnownAnswer {
  readonly name: string;
  readonly target: string;
  readonly ttlSeconds: number;
}

export const TYPE_NUMBERS: Readonly<Record<RecordType, number>> = { A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33 };
const TYPE_NAMES = new Map(Object.entries(TYPE_NUMBERS).map(([name, number]) => [number, name as RecordType]));

const HEADER_BYTES = 12;
const CLASS_IN = 1;
/** The top bit of the class: "cache-flush" in a record, "unicast answer please" in a question. */
const TOP_BIT = 0x8000;
const RESPONSE_BIT = 0x8000;
/** Opcode and response code, both zero in any multicast DNS message (RFC 6762 §18.3, §18.11). */
const OPCODE_AND_RCODE = 0x780f;
/** More than any honest packet of 9,000 bytes (RFC 6762 §17) holds; bounds the work that one packet can cause. */
const MOST_RECORDS = 1_000;
/** What fits an Ethernet frame behind IP and UDP headers, PPPoE and tunnels allowed for. */
export const LARGEST_QUERY_BYTES = 1_400;
const COMPRESSION_REACH = 0x3fff;

/**
 * Reads the records of a response. A record with malformed contents is left out; where the framing itself is broken, what
 * stood before it counts. Never throws.
 * @returns `undefined` for anything that is no response.
 */
export function readResponse(packet: Buffer): readonly DnsRecord[] | undefined {
  if (packet.length < HEADER_BYTES) return undefined;
  const flags = packet.readUInt16BE(2);
  if ((flags & RESPONSE_BIT) === 0 || (flags & OPCODE_AND_RCODE) !== 0) return undefined;
  const questions = packet.readUInt16BE(4);
  const declared = packet.readUInt16BE(6) + packet.readUInt16BE(8) + packet.readUInt16BE(10);
  const records: DnsRecord[] = [];
  try {
    let at = HEADER_BYTES;
    for (let left = Math.min(questions, MOST_RECORDS); left > 0; left -= 1) at = skipName(packet, at) + 4;
    for (let left = Math.min(declared, MOST_RECORDS); left > 0; left -= 1) at = readRecord(packet, at, records);
  } catch {
    // A name or a length that leaves the packet: nothing behind it can be found.
  }
  return records;
}

/** Reads one record into `records` if it is of use. @returns the offset behind it. @throws where the framing is broken */
function readRecord(packet: Buffer, offset: number, records: DnsRecord[]): number {
  const head = skipName(packet, offset);
  const type = TYPE_NAMES.get(packet.readUInt16BE(head));
  const recordClass = packet.readUInt16BE(head + 2);
  const start = head + 10;
  const end = start + packet.readUInt16BE(head + 8);
  if (end > packet.length) throw new RangeError('The record runs past the packet');
  if (!type || (recordClass & ~TOP_BIT) !== CLASS_IN) return end;
  try {
    const record = readData(packet, type, start, end, {
      name: readName(packet, offset).name,
      ttlSeconds: packet.readUInt32BE(head + 4),
      flush: (recordClass & TOP_BIT) !== 0,
    });
    if (record) records.push(record);
  } catch {
    // Contents that make no sense: the record is left out, the rest of the packet stands.
  }
  return end;
}

function readData(
  packet: Buffer,
  type: RecordType,
  start: number,
  end: number,
  head: RecordHead,
): DnsRecord | undefined {
  switch (type) {
    case 'PTR':
      return { ...head, type, target: readName(packet, start).name };
    case 'SRV':
      if (end - start < 7) return undefined;
      return { ...head, type, port: packet.readUInt16BE(start + 4), target: readName(packet, start + 6).name };
    case 'TXT':
      return { ...head, type, strings: readStrings(packet, start, end) };
    case 'A':
      return end - start === 4 ? { ...head, type, address: packet.subarray(start, end).join('.') } : undefined;
    case 'AAAA':
      return end - start === 16 ? { ...head, type, address: ipv6Text(packet.subarray(start, end)) } : undefined;
  }
}

/** Character strings of a TXT record. One that claims more bytes than there are takes what is left. */
function readStrings(packet: Buffer, start: number, end: number): Buffer[] {
  const strings: Buffer[] = [];
  for (let at = start; at < end; ) {
    const stop = Math.min(at + 1 + (packet[at] as number), end);
    // A copy: the record outlives the packet, whose memory it would hold on to.
    if (stop > at + 1) strings.push(Buffer.from(packet.subarray(at + 1, stop)));
    at = stop;
  }
  return strings;
}

/** RFC 5952: the longest run of two or more zero groups becomes `::`. (Node's `SocketAddress` takes 0.1 ms for this.) */
function ipv6Text(bytes: Buffer): string {
  const groups = [0, 2, 4, 6, 8, 10, 12, 14].map((at) => bytes.readUInt16BE(at).toString(16)).join(':');
  const runs = groups.match(/\b0(:0)+\b/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return groups;
  return groups.replace(new RegExp(`(^|:)${longest}(:|$)`), '::');
}

/**
 * Writes one query. Known answers that no longer fit are left out: their owners then answer once more, which does no harm.
 * @param unicast asks for answers to our own address and port instead of the group.
 */
export function writeQuery(
  questions: readonly Question[],
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
    if (writer.length > LARGEST_QUERY_BYTES) {
      writer.back(mark);
      break;
    }
    answers += 1;
  }
  return writer.finish(options.id ?? 0, questions.length, answers);
}

/** Bytes that a question takes at most: without compression. */
export function questionBytes({ name }: Question): number {
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

  /** Takes back everything written since `mark`. */
  back(mark: number): void {
    this.#bytes = this.#bytes.slice(0, mark);
    for (const [suffix, offset] of this.#suffixes) if (offset >= mark) this.#suffixes.delete(suffix);
  }

  uint16(...values: readonly number[]): void {
    for (const value of values) this.#bytes.push((value >> 8) & 0xff, value & 0xff);
  }

  name(name: string): void {
    const labels = labelsOf(name);
    for (let at = 0; at < labels.length; at += 1) {
      const suffix = nameOf(labels.slice(at));
      const known = this.#suffixes.get(suffix);
      if (known !== undefined) {
        this.uint16(0xc000 | known);
        return;
      }
      if (this.#bytes.length <= COMPRESSION_REACH) this.#suffixes.set(suffix, this.#bytes.length);
      const label = (labels[at] as Buffer).subarray(0, LONGEST_LABEL_BYTES);
      this.#bytes.push(label.length, ...label);
    }
    this.#bytes.push(0);
  }

  /** Writes what `write` writes behind its length. */
  lengthOf(write: () => void): void {
    const at = this.#bytes.length;
    this.uint16(0);
    write();
    const length = this.#bytes.length - at - 2;
    this.#bytes[at] = length >> 8;
    this.#bytes[at + 1] = length & 0xff;
  }

  finish(id: number, questions: number, answers: number): Buffer {
    const packet = Buffer.from(this.#bytes);
    packet.writeUInt16BE(id, 0);
    packet.writeUInt16BE(questions, 4);
    packet.writeUInt16BE(answers, 6);
    return packet;
  }
}
