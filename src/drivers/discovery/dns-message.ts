/**
 * Reads multicast DNS messages (RFC 6762 §18) as far as services need them: PTR, SRV, TXT, A and AAAA records of
 * responses and queries. It is our own parser because the usual one splits instance names at their dots and drops a
 * whole packet for one bad record. `dns-writer.ts` writes messages.
 */
import { NameReader, nameKey, skipName } from './dns-name.ts';

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

export interface DnsQuestion {
  readonly name: string;
  readonly type: RecordType;
}

/** Any question in a query. */
export interface AskedQuestion {
  readonly name: string;
  /** The type's number, also for unknown types. */
  readonly type: number;
  /** Whether the asker prefers a unicast response (RFC 6762 §5.4). */
  readonly unicast: boolean;
}

export interface DnsQuery {
  /** The message id, repeated in responses to plain DNS; otherwise zero. */
  readonly id: number;
  /** More known answers follow (RFC 6762 §7.2). */
  readonly truncated: boolean;
  readonly questions: readonly AskedQuestion[];
  /** Known answers, which suppress ours (RFC 6762 §7.1). */
  readonly known: readonly DnsRecord[];
  /** Records that a probing host claims (RFC 6762 §8.2); empty in all other queries. */
  readonly proposed: readonly DnsRecord[];
}

export const TYPE_NUMBERS: Readonly<Record<RecordType, number>> = { A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33 };
const TYPE_NAMES = new Map(Object.entries(TYPE_NUMBERS).map(([name, number]) => [number, name as RecordType]));

/** The question type ANY. */
export const ANY_TYPE = 255;

export const HEADER_BYTES = 12;
export const CLASS_IN = 1;
/** The question class ANY. */
const CLASS_ANY = 255;
/** The top bit of the class: "cache-flush" in a record, "unicast response" in a question. */
export const TOP_BIT = 0x8000;
const RESPONSE_BIT = 0x8000;
const TRUNCATED_BIT = 0x0200;
/** Opcode and response code, both zero in any multicast DNS message (RFC 6762 §18.3, §18.11). */
const OPCODE_AND_RCODE = 0x780f;
/** More than any valid packet of 9,000 bytes (RFC 6762 §17) holds; bounds the work per packet. */
const MAX_RECORDS = 1_000;
/** A client that browses a whole network asks a few dozen at once. */
const MAX_QUESTIONS = 256;

/**
 * Reads the records of a response. A record with malformed contents is skipped. If the framing is broken, the records
 * before that point count. Never throws.
 * @returns `undefined` if the packet is not a response
 */
export function readResponse(packet: Buffer): readonly DnsRecord[] | undefined {
  if (packet.length < HEADER_BYTES) return undefined;
  const flags = packet.readUInt16BE(2);
  if ((flags & RESPONSE_BIT) === 0 || (flags & OPCODE_AND_RCODE) !== 0) return undefined;
  const questions = packet.readUInt16BE(4);
  const declared = packet.readUInt16BE(6) + packet.readUInt16BE(8) + packet.readUInt16BE(10);
  const records: DnsRecord[] = [];
  try {
    const names = new NameReader(packet);
    let at = HEADER_BYTES;
    for (let left = Math.min(questions, MAX_RECORDS); left > 0; left -= 1) at = skipName(packet, at) + 4;
    for (let left = Math.min(declared, MAX_RECORDS); left > 0; left -= 1) at = readRecord(packet, names, at, records);
  } catch {
    // A name or a length exceeds the packet, so the rest can't be parsed.
  }
  return records;
}

/**
 * Reads a query. As in responses, everything before a framing error counts. The number of questions and records is
 * bounded. Never throws.
 * @returns `undefined` if the packet is not a query
 */
export function readQuery(packet: Buffer): DnsQuery | undefined {
  if (packet.length < HEADER_BYTES) return undefined;
  const flags = packet.readUInt16BE(2);
  if ((flags & (RESPONSE_BIT | OPCODE_AND_RCODE)) !== 0) return undefined;
  const query = {
    id: packet.readUInt16BE(0),
    truncated: (flags & TRUNCATED_BIT) !== 0,
    questions: [] as AskedQuestion[],
    known: [] as DnsRecord[],
    proposed: [] as DnsRecord[],
  };
  const count = (offset: number): number => Math.min(packet.readUInt16BE(offset), MAX_RECORDS);
  try {
    const names = new NameReader(packet);
    let at = HEADER_BYTES;
    for (let left = Math.min(count(4), MAX_QUESTIONS); left > 0; left -= 1) {
      at = readQuestion(packet, names, at, query.questions);
    }
    // The rest follows unread questions, so it can't be parsed as records.
    if (count(4) > MAX_QUESTIONS) return query;
    for (let left = count(6); left > 0; left -= 1) at = readRecord(packet, names, at, query.known);
    for (let left = count(8); left > 0; left -= 1) at = readRecord(packet, names, at, query.proposed);
  } catch {
    // Framing error, as in `readResponse`.
  }
  return query;
}

/**
 * Reads one question into `questions` if its class is ours. @returns the offset behind it. @throws if the framing is
 * broken
 */
function readQuestion(packet: Buffer, names: NameReader, offset: number, questions: AskedQuestion[]): number {
  const { name, end } = names.read(offset);
  const type = packet.readUInt16BE(end);
  const questionClass = packet.readUInt16BE(end + 2);
  const plain = questionClass & ~TOP_BIT;
  if (plain === CLASS_IN || plain === CLASS_ANY) {
    questions.push({ name, type, unicast: (questionClass & TOP_BIT) !== 0 });
  }
  return end + 4;
}

/** Whether two records of one name and type have the same data. */
export function sameData(a: DnsRecord, b: DnsRecord): boolean {
  if (a.type === 'PTR') return b.type === 'PTR' && nameKey(a.target) === nameKey(b.target);
  if (a.type === 'SRV') return b.type === 'SRV' && a.port === b.port && nameKey(a.target) === nameKey(b.target);
  if (a.type === 'TXT') {
    return (
      b.type === 'TXT' &&
      a.strings.length === b.strings.length &&
      a.strings.every((string, at) => string.equals(b.strings[at] as Buffer))
    );
  }
  return a.type === b.type && 'address' in b && a.address === b.address;
}

/**
 * Reads one record into `records` if its type is used. @returns the offset behind it. @throws if the framing is broken
 */
function readRecord(packet: Buffer, names: NameReader, offset: number, records: DnsRecord[]): number {
  const head = skipName(packet, offset);
  const type = TYPE_NAMES.get(packet.readUInt16BE(head));
  const recordClass = packet.readUInt16BE(head + 2);
  const start = head + 10;
  const end = start + packet.readUInt16BE(head + 8);
  if (end > packet.length) throw new RangeError('The record runs past the packet');
  if (!type || (recordClass & ~TOP_BIT) !== CLASS_IN) return end;
  try {
    const record = readData(packet, names, type, start, end, {
      name: names.read(offset).name,
      ttlSeconds: packet.readUInt32BE(head + 4),
      flush: (recordClass & TOP_BIT) !== 0,
    });
    if (record) records.push(record);
  } catch {
    // Malformed contents: skip this record, keep the rest of the packet.
  }
  return end;
}

function readData(
  packet: Buffer,
  names: NameReader,
  type: RecordType,
  start: number,
  end: number,
  head: RecordHead,
): DnsRecord | undefined {
  switch (type) {
    case 'PTR':
      return { ...head, type, target: names.read(start).name };
    case 'SRV':
      if (end - start < 7) return undefined;
      return { ...head, type, port: packet.readUInt16BE(start + 4), target: names.read(start + 6).name };
    case 'TXT':
      return { ...head, type, strings: readStrings(packet, start, end) };
    case 'A':
      return end - start === 4 ? { ...head, type, address: packet.subarray(start, end).join('.') } : undefined;
    case 'AAAA':
      return end - start === 16 ? { ...head, type, address: ipv6Text(packet.subarray(start, end)) } : undefined;
  }
}

/** Character strings of a TXT record. A string whose length exceeds the record is truncated. */
function readStrings(packet: Buffer, start: number, end: number): Buffer[] {
  const strings: Buffer[] = [];
  for (let at = start; at < end; ) {
    const stop = Math.min(at + 1 + (packet[at] as number), end);
    // A copy: the record outlives the packet and must not keep its buffer alive.
    if (stop > at + 1) strings.push(Buffer.from(packet.subarray(at + 1, stop)));
    at = stop;
  }
  return strings;
}

/** RFC 5952: the longest run of two or more zero groups becomes `::`. (Node's `SocketAddress` takes 0.1 ms.) */
function ipv6Text(bytes: Buffer): string {
  const groups = [0, 2, 4, 6, 8, 10, 12, 14].map((at) => bytes.readUInt16BE(at).toString(16)).join(':');
  const runs = groups.match(/\b0(:0)+\b/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), '');
  if (longest === '') return groups;
  return groups.replace(new RegExp(`(^|:)${longest}(:|$)`), '::');
}
