/**
 * Our records on one link: probed for, announced, answered for, defended and withdrawn (RFC 6762 §6 to §10). It is told what comes
 * in and what it stands for, and says so when a name turns out to be somebody else's; other names are the advertiser's business.
 */
import type { Clock } from '../../kernel/clock.ts';
import { TYPE_ENUMERATION } from './advertised-records.ts';
import { AnswerQueue } from './answer-queue.ts';
import { AnswerBook } from './answers.ts';
import { type DnsRecord, type Query, sameData, TYPE_NUMBERS } from './dns-message.ts';
import { nameKey } from './dns-name.ts';
import { contentsOf, type OwnRecord, writeProbe, writeResponse } from './dns-writer.ts';
import type { Link } from './multicast-network.ts';
import { type Destination, MDNS_PORT } from './multicast-socket.ts';

export interface LinkResponderOptions {
  readonly link: Link;
  readonly clock: Clock;
  readonly random: () => number;
  /** An address of this machine: what it says of our names is no contradiction, for one network may be reached by two interfaces. */
  readonly isOwnAddress: (address: string) => boolean;
  /** This name is somebody else's. */
  readonly onTaken: (name: string) => void;
  /** The names are ours, and everybody has been told. */
  readonly onAnnounced: () => void;
}

type Phase = 'idle' | 'probing' | 'announced';

/** RFC 6762 §8.1. */
const PROBES = 3;
const PROBE_INTERVAL_MS = 250;
/** RFC 6762 §8.2: after having lost a race. */
const LOST_RACE_MS = 1_000;
/** RFC 6762 §8.3: at least two, a second apart. */
const ANNOUNCEMENTS = 2;
const ANNOUNCEMENT_INTERVAL_MS = 1_000;
/** RFC 6762 §6: where others may answer as well, answers are spread. */
const SPREAD_FROM_MS = 20;
const SPREAD_MS = 100;
/** RFC 6762 §7.2: time for the rest of the known answers. */
const TRUNCATED_WAIT_MS = 400;
/** RFC 6762 §10.1: somebody else's farewell to what is ours too is made good within the second. */
const RESCUE_MS = 250;
/**
 * Answers to single hosts in a second, on one link: far above what a house asks, and far below what would make a flood of forged
 * questions a weapon against the host that they seem to come from. Browsers beyond it are answered by multicast.
 */
const UNICASTS_PER_SECOND = 40;
/** Questions that an answer to plain DNS repeats: an address is asked for in two at most. */
const MOST_REPEATED = 4;

export class LinkResponder {
  readonly #options: LinkResponderOptions;
  readonly #queue: AnswerQueue;
  #book = new AnswerBook([]);
  #phase: Phase = 'idle';
  #cancel: (() => void) | undefined;
  #unicasts = { second: 0, sent: 0 };

  constructor(options: LinkResponderOptions) {
    this.#options = options;
    this.#queue = new AnswerQueue({ clock: options.clock, send: (answers) => this.#multicast(answers) });
  }

  /** Stands for these from now on, once nobody objects: probes, then announces. None: falls silent. */
  claim(records: readonly DnsRecord[], delayMs = this.#options.random() * PROBE_INTERVAL_MS): void {
    this.#reset(records);
    if (records.length === 0) return;
    this.#phase = 'probing';
    this.#after(delayMs, () => this.#probe(PROBES));
  }

  /** The same names with other contents: nothing to probe for where they are ours already. */
  update(records: readonly DnsRecord[]): void {
    if (this.#phase !== 'announced' || records.length === 0) {
      if (this.#phase === 'announced') void this.withdraw();
      this.claim(records);
      return;
    }
    const gone = this.#claims().filter((record) => !records.some((other) => isSame(other, record)));
    if (gone.length > 0) void this.#sayFarewell(gone);
    this.#reset(records);
    this.#phase = 'announced';
    this.#announce(ANNOUNCEMENTS);
  }

  /** Says farewell. Resolves once it is on its way. */
  withdraw(): Promise<void> {
    const said = this.#phase === 'announced';
    // The list of types is everybody's: the next responder over may have the same entry in it.
    const records = this.#book.records.filter(({ name }) => name !== TYPE_ENUMERATION);
    this.#reset([]);
    if (!said) return Promise.resolve();
    return this.#sayFarewell(records);
  }

  /** Without a word: the link is gone. */
  close(): void {
    this.#reset([]);
  }

  receiveQuery(query: Query, sender: Destination): void {
    if (this.#phase === 'probing') this.#race(query.proposed);
    if (this.#phase !== 'announced') return;
    if (sender.port !== MDNS_PORT) this.#answerPlainly(query, sender);
    else if (query.questions.length === 0) this.#queue.withdraw(query.known, sender.address);
    else this.#answer(query, sender);
  }

  #answer(query: Query, sender: Destination): void {
    const answers = this.#book.answersTo(query);
    const toAll = new Set<OwnRecord>();
    const toOne = new Set<OwnRecord>();
    for (const { question, records } of answers) {
      const alone = question.unicast && records.every((record) => this.#queue.isFresh(record));
      for (const record of records) (alone ? toOne : toAll).add(record);
    }
    // On one machine the port is shared: an answer to our own address reaches whichever program opened it last.
    if (toOne.size > 0 && (this.#options.isOwnAddress(sender.address) || !this.#maySendUnicast())) {
      for (const record of toOne) toAll.add(record);
      toOne.clear();
    }
    if (toOne.size > 0) void this.#options.link.send(this.#response([...toOne]), sender);
    if (toAll.size > 0) this.#answerAll([...toAll], query, sender);
  }

  receiveRecords(records: readonly DnsRecord[]): void {
    if (this.#phase === 'idle') return;
    for (const record of records) {
      const ours = this.#book.of(record.name);
      if (ours.length === 0) continue;
      if (this.#isOurs(record, ours)) {
        if (record.ttlSeconds === 0 && this.#phase === 'announced') this.#rescue(record, ours);
      } else if (record.ttlSeconds > 0 && this.#contradicts(record, ours)) {
        this.#objected(record);
        return;
      }
    }
  }

  #probe(left: number): void {
    if (left === 0) {
      this.#phase = 'announced';
      this.#announce(ANNOUNCEMENTS);
      this.#options.onAnnounced();
      return;
    }
    void this.#options.link.send(writeProbe(this.#book.uniqueNames(), this.#claims()));
    this.#after(PROBE_INTERVAL_MS, () => this.#probe(left - 1));
  }

  #announce(left: number): void {
    this.#queue.noteSaid(this.#book.records);
    this.#multicast(this.#book.records);
    if (left > 1) this.#after(ANNOUNCEMENT_INTERVAL_MS, () => this.#announce(left - 1));
  }

  /** Two that probe for one name at once: whose records come later in the alphabet wins (RFC 6762 §8.2). */
  #race(proposed: readonly DnsRecord[]): void {
    for (const name of this.#book.uniqueNames()) {
      const theirs = proposed.filter((record) => nameKey(record.name) === nameKey(name));
      const ours = this.#book.of(name);
      // Our own probe, come back by another interface of ours, is no rival.
      if (theirs.length === 0 || theirs.every((record) => this.#isOurs(record, ours))) continue;
      if (compareClaims(ours, theirs) >= 0) continue;
      this.claim(this.#book.records, LOST_RACE_MS);
      return;
    }
  }

  /** While we probe, the name is taken. Afterwards it was ours: asking again shows who gives way (RFC 6762 §9). */
  #objected({ name }: DnsRecord): void {
    if (this.#phase === 'probing') this.#options.onTaken(name);
    else this.claim(this.#book.records, 0);
  }

  #rescue(record: DnsRecord, ours: readonly DnsRecord[]): void {
    const lost = ours.filter((own) => isSame(own, record));
    this.#queue.add(lost, '', RESCUE_MS);
  }

  #isOurs(record: DnsRecord, ours: readonly DnsRecord[]): boolean {
    if ('address' in record && this.#options.isOwnAddress(record.address)) return true;
    return ours.some((own) => isSame(own, record));
  }

  /** Shared names belong to everybody; of the others, while probing, anything that somebody has there says that it is taken. */
  #contradicts(record: DnsRecord, ours: readonly DnsRecord[]): boolean {
    const unique = ours.filter(({ flush }) => flush);
    return unique.length > 0 && (this.#phase === 'probing' || unique.some(({ type }) => type === record.type));
  }

  #answerAll(records: readonly OwnRecord[], query: Query, { address }: Destination): void {
    const defends = query.proposed.length > 0;
    const spread = this.#options.random() * SPREAD_MS;
    const delay = query.truncated
      ? TRUNCATED_WAIT_MS + spread
      : defends || records.every(({ flush }) => flush)
        ? 0
        : SPREAD_FROM_MS + spread;
    this.#queue.add(records, address, delay, defends);
  }

  /** Whoever asks from another port speaks plain DNS, and hears nothing that is said to all (RFC 6762 §6.7). */
  #answerPlainly(query: Query, sender: Destination): void {
    const answers = this.#book.answersTo(query);
    if (answers.length === 0 || !this.#maySendUnicast()) return;
    const records = [...new Set(answers.flatMap((answer) => answer.records))];
    const plain = {
      id: query.id,
      questions: [...new Set(answers.map(({ question }) => question))].slice(0, MOST_REPEATED),
    };
    const response = { answers: records, additionals: this.#book.additionalsTo(records), plain };
    void this.#options.link.send(writeResponse(response), sender);
  }

  #sayFarewell(records: readonly DnsRecord[]): Promise<void> {
    return this.#options.link.send(writeResponse({ answers: records.map((record) => ({ ...record, ttlSeconds: 0 })) }));
  }

  #multicast(answers: readonly OwnRecord[]): void {
    void this.#options.link.send(this.#response(answers));
  }

  #response(answers: readonly OwnRecord[]): Buffer {
    return writeResponse({ answers, additionals: this.#book.additionalsTo(answers) });
  }

  #claims(): readonly DnsRecord[] {
    return this.#book.records.filter(({ flush }) => flush);
  }

  #maySendUnicast(): boolean {
    const second = Math.floor(this.#options.clock.monotonic() / 1_000);
    if (this.#unicasts.second !== second) this.#unicasts = { second, sent: 0 };
    if (this.#unicasts.sent >= UNICASTS_PER_SECOND) return false;
    this.#unicasts.sent += 1;
    return true;
  }

  #reset(records: readonly DnsRecord[]): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#queue.clear();
    this.#phase = 'idle';
    this.#book = new AnswerBook(records);
  }

  #after(delayMs: number, action: () => void): void {
    this.#cancel?.();
    this.#cancel = this.#options.clock.after(delayMs, action);
  }
}

/** The same record, whatever its time to live. */
function isSame(a: DnsRecord, b: DnsRecord): boolean {
  return a.type === b.type && nameKey(a.name) === nameKey(b.name) && sameData(a, b);
}

/** RFC 6762 §8.2.1: sorted by type and contents, compared one by one; the longer list wins where one is the beginning of the other. */
function compareClaims(ours: readonly DnsRecord[], theirs: readonly DnsRecord[]): number {
  const [a, b] = [sortedClaims(ours), sortedClaims(theirs)];
  for (const [at, claim] of a.entries()) {
    const other = b[at];
    if (!other) return 1;
    const order = Buffer.compare(claim, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function sortedClaims(records: readonly DnsRecord[]): readonly Buffer[] {
  return records
    .map((record) => Buffer.concat([Buffer.from([0, TYPE_NUMBERS[record.type]]), contentsOf(record)]))
    .sort(Buffer.compare);
}
