/**
 * Our records on one link: probing, announcing, answering, defending and goodbyes (RFC 6762 §6 to §10). The advertiser
 * passes packets and records. The responder reports a name that another host owns, and the advertiser chooses other
 * names.
 */
import type { Clock } from '../../kernel/clock.ts';
import { TYPE_ENUMERATION } from './advertised-records.ts';
import { AnswerQueue } from './answer-queue.ts';
import { AnswerBook } from './answers.ts';
import { type DnsQuery, type DnsRecord, sameData, TYPE_NUMBERS } from './dns-message.ts';
import { nameKey } from './dns-name.ts';
import { contentsOf, type OwnRecord, writeProbe, writeResponse } from './dns-writer.ts';
import type { NetworkLink } from './multicast-network.ts';
import { type Destination, MDNS_PORT } from './multicast-socket.ts';

export interface LinkResponderDeps {
  readonly link: NetworkLink;
  readonly clock: Clock;
  readonly random: () => number;
  /**
   * An address of this machine. Its records for our names are no conflict, because one network may be reached by two
   * interfaces.
   */
  readonly isOwnAddress: (address: string) => boolean;
  /** Another host owns this name. */
  readonly onTaken: (name: string) => void;
  /** Probing succeeded and the names have been announced. */
  readonly onAnnounced: () => void;
}

type Phase = 'idle' | 'probing' | 'announced';

/** RFC 6762 §8.1. */
const PROBES = 3;
const PROBE_INTERVAL_MS = 250;
/** RFC 6762 §8.2: the wait after losing simultaneous probe tie-breaking. */
const LOST_RACE_MS = 1_000;
/** RFC 6762 §8.3: at least two, one second apart. */
const ANNOUNCEMENTS = 2;
const ANNOUNCEMENT_INTERVAL_MS = 1_000;
/** RFC 6762 §6: answers are delayed at random if other hosts may answer as well. */
const SPREAD_FROM_MS = 20;
const SPREAD_MS = 100;
/** RFC 6762 §7.2: time for the remaining known answers. */
const TRUNCATED_WAIT_MS = 400;
/** RFC 6762 §10.1: after another host's goodbye for a shared record, we announce ours again within a second. */
const RESCUE_MS = 250;
/**
 * Unicast responses per second on one link. This is far above the needs of a home, and far below a useful amplification
 * attack with forged source addresses. Further clients are answered by multicast.
 */
const UNICASTS_PER_SECOND = 40;
/** Questions that a plain DNS response repeats: a client asks for an address in two at most. */
const MAX_REPEATED = 4;

export class LinkResponder {
  readonly #deps: LinkResponderDeps;
  readonly #queue: AnswerQueue;
  #book = new AnswerBook([]);
  #phase: Phase = 'idle';
  #cancel: (() => void) | undefined;
  #unicasts = { second: 0, sent: 0 };

  constructor(deps: LinkResponderDeps) {
    this.#deps = deps;
    this.#queue = new AnswerQueue({ clock: deps.clock, send: (answers) => this.#multicast(answers) });
  }

  /** Publishes these records: probes for their names, then announces them. An empty list stops the responder. */
  claim(records: readonly DnsRecord[], delayMs = this.#deps.random() * PROBE_INTERVAL_MS): void {
    this.#reset(records);
    if (records.length === 0) return;
    this.#phase = 'probing';
    this.#after(delayMs, () => this.#probe(PROBES));
  }

  /** New contents for the same names: no probing if the names are ours already. */
  update(records: readonly DnsRecord[]): void {
    if (this.#phase !== 'announced' || records.length === 0) {
      if (this.#phase === 'announced') void this.withdraw();
      this.claim(records);
      return;
    }
    const gone = this.#claims().filter(
      (record) => !records.some((other) => isSame(other, record) || replaces(other, record)),
    );
    if (gone.length > 0) void this.#sendClose(gone);
    this.#reset(records);
    this.#phase = 'announced';
    this.#announce(ANNOUNCEMENTS);
  }

  /** Sends goodbyes. Resolves when they are sent. */
  withdraw(): Promise<void> {
    const given = this.#phase === 'announced';
    // Other hosts share the type enumeration records: another responder may have the same entry.
    const records = this.#book.records.filter(({ name }) => name !== TYPE_ENUMERATION);
    this.#reset([]);
    if (!given) return Promise.resolve();
    return this.#sendClose(records);
  }

  /** Closes without goodbyes: the link is gone. */
  close(): void {
    this.#reset([]);
  }

  receiveQuery(query: DnsQuery, sender: Destination): void {
    if (this.#phase === 'probing') this.#race(query.proposed);
    if (this.#phase !== 'announced') return;
    if (sender.port !== MDNS_PORT) this.#answerPlainly(query, sender);
    else if (query.questions.length === 0) this.#queue.withdraw(query.known, sender.address);
    else this.#answer(query, sender);
  }

  #answer(query: DnsQuery, sender: Destination): void {
    const answers = this.#book.answersTo(query);
    const toAll = new Set<OwnRecord>();
    const toOne = new Set<OwnRecord>();
    for (const { question, records } of answers) {
      const alone = question.unicast && records.every((record) => this.#queue.isFresh(record));
      for (const record of records) (alone ? toOne : toAll).add(record);
    }
    // Programs on this machine share the port: a response to our own address reaches the program that opened it last.
    if (toOne.size > 0 && (this.#deps.isOwnAddress(sender.address) || !this.#maySendUnicast())) {
      for (const record of toOne) toAll.add(record);
      toOne.clear();
    }
    if (toOne.size > 0) void this.#deps.link.send(this.#response([...toOne]), sender);
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
      this.#deps.onAnnounced();
      return;
    }
    void this.#deps.link.send(writeProbe(this.#book.uniqueNames(), this.#claims()));
    this.#after(PROBE_INTERVAL_MS, () => this.#probe(left - 1));
  }

  #announce(left: number): void {
    this.#queue.noteSent(this.#book.records);
    this.#multicast(this.#book.records);
    if (left > 1) this.#after(ANNOUNCEMENT_INTERVAL_MS, () => this.#announce(left - 1));
  }

  /** Simultaneous probe tie-breaking: the lexicographically later records win (RFC 6762 §8.2). */
  #race(proposed: readonly DnsRecord[]): void {
    for (const name of this.#book.uniqueNames()) {
      const theirs = proposed.filter((record) => nameKey(record.name) === nameKey(name));
      const ours = this.#book.of(name);
      // Our own probe, received through another interface of ours, is not a rival.
      if (theirs.length === 0 || theirs.every((record) => this.#isOurs(record, ours))) continue;
      if (compareClaims(ours, theirs) >= 0) continue;
      this.claim(this.#book.records, LOST_RACE_MS);
      return;
    }
  }

  /**
   * A conflict. During probing, the name is taken. Afterwards, probing again decides which host keeps it (RFC 6762 §9).
   */
  #objected({ name }: DnsRecord): void {
    if (this.#phase === 'probing') this.#deps.onTaken(name);
    else this.claim(this.#book.records, 0);
  }

  #rescue(record: DnsRecord, ours: readonly DnsRecord[]): void {
    const lost = ours.filter((own) => isSame(own, record));
    this.#queue.add(lost, '', RESCUE_MS);
  }

  #isOurs(record: DnsRecord, ours: readonly DnsRecord[]): boolean {
    if ('address' in record && this.#deps.isOwnAddress(record.address)) return true;
    return ours.some((own) => isSame(own, record));
  }

  /**
   * Whether a received record conflicts with ours. Shared names never conflict. During probing, any record for a unique
   * name does.
   */
  #contradicts(record: DnsRecord, ours: readonly DnsRecord[]): boolean {
    const unique = ours.filter(({ flush }) => flush);
    return unique.length > 0 && (this.#phase === 'probing' || unique.some(({ type }) => type === record.type));
  }

  #answerAll(records: readonly OwnRecord[], query: DnsQuery, { address }: Destination): void {
    const defends = query.proposed.length > 0;
    const spread = this.#deps.random() * SPREAD_MS;
    const delay = query.truncated
      ? TRUNCATED_WAIT_MS + spread
      : defends || records.every(({ flush }) => flush)
        ? 0
        : SPREAD_FROM_MS + spread;
    this.#queue.add(records, address, delay, defends);
  }

  /** A query from another port is plain DNS; its client does not receive multicast (RFC 6762 §6.7). */
  #answerPlainly(query: DnsQuery, sender: Destination): void {
    const answers = this.#book.answersTo(query);
    if (answers.length === 0 || !this.#maySendUnicast()) return;
    const records = [...new Set(answers.flatMap((answer) => answer.records))];
    const plain = {
      id: query.id,
      questions: [...new Set(answers.map(({ question }) => question))].slice(0, MAX_REPEATED),
    };
    const response = { answers: records, additionals: this.#book.additionalsTo(records), plain };
    void this.#deps.link.send(writeResponse(response), sender);
  }

  #sendClose(records: readonly DnsRecord[]): Promise<void> {
    return this.#deps.link.send(writeResponse({ answers: records.map((record) => ({ ...record, ttlSeconds: 0 })) }));
  }

  #multicast(answers: readonly OwnRecord[]): void {
    void this.#deps.link.send(this.#response(answers));
  }

  #response(answers: readonly OwnRecord[]): Buffer {
    return writeResponse({ answers, additionals: this.#book.additionalsTo(answers) });
  }

  #claims(): readonly DnsRecord[] {
    return this.#book.records.filter(({ flush }) => flush);
  }

  #maySendUnicast(): boolean {
    const second = Math.floor(this.#deps.clock.monotonic() / 1_000);
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
    this.#cancel = this.#deps.clock.after(delayMs, action);
  }
}

/** Whether two records are equal except for their TTL. */
function isSame(a: DnsRecord, b: DnsRecord): boolean {
  return a.type === b.type && nameKey(a.name) === nameKey(b.name) && sameData(a, b);
}

/** RFC 6762 §10.2: an announced record takes the place of ours with the same name, of which there is one. */
function replaces(after: DnsRecord, before: DnsRecord): boolean {
  return after.type === before.type && !('address' in after) && nameKey(after.name) === nameKey(before.name);
}

/**
 * RFC 6762 §8.2.1: compares records sorted by type and contents, one by one; if one list is a prefix, the longer list
 * wins.
 */
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
