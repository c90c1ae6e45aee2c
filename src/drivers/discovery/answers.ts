/** Answers to questions about our own records (RFC 6762 §6, §7.1; RFC 6763 §12): pure. */
import {
  ANY_TYPE,
  type AskedQuestion,
  type DnsQuery,
  type DnsRecord,
  type RecordType,
  sameData,
  TYPE_NUMBERS,
} from './dns-message.ts';
import { nameKey } from './dns-name.ts';
import type { Denial, OwnRecord } from './dns-writer.ts';

/** The answer to one question. */
export interface DnsAnswer {
  readonly question: AskedQuestion;
  readonly records: readonly OwnRecord[];
}

/** The records of one responder on one interface, indexed for questions. */
export class AnswerBook {
  readonly records: readonly DnsRecord[];
  readonly #byName = new Map<string, DnsRecord[]>();
  readonly #denials = new Map<string, Denial>();

  constructor(records: readonly DnsRecord[]) {
    this.records = records;
    for (const record of records) {
      const key = looseKey(record.name);
      const others = this.#byName.get(key);
      if (others) others.push(record);
      else this.#byName.set(key, [record]);
    }
    for (const [key, all] of this.#byName) {
      const [first] = all;
      if (!first?.flush) continue;
      const types = [...new Set(all.map(({ type }) => type))].sort((a, b) => TYPE_NUMBERS[a] - TYPE_NUMBERS[b]);
      this.#denials.set(key, { type: 'NSEC', name: first.name, ttlSeconds: first.ttlSeconds, flush: true, types });
    }
  }

  /** The names that no other host may use. */
  uniqueNames(): readonly string[] {
    return [...this.#denials.values()].map(({ name }) => name);
  }

  /** Records of one name. */
  of(name: string): readonly DnsRecord[] {
    return this.#byName.get(looseKey(name)) ?? [];
  }

  /** One answer per question about our records, without the asker's known answers. */
  answersTo({ questions, known }: DnsQuery): readonly DnsAnswer[] {
    // Indexed once, not for each question: a packet has room for hundreds of both.
    const suppressed = new Set(
      known.flatMap((other) => (this.#byName.get(looseKey(other.name)) ?? []).filter((record) => knows(other, record))),
    );
    return questions.flatMap((question): DnsAnswer | readonly [] => {
      const key = looseKey(question.name);
      const all = this.#byName.get(key) ?? [];
      const asked = all.filter(({ type }) => question.type === ANY_TYPE || TYPE_NUMBERS[type] === question.type);
      const denial = this.#denials.get(key);
      const records = asked.length === 0 && denial ? [denial] : asked.filter((record) => !suppressed.has(record));
      return records.length > 0 ? { question, records } : [];
    });
  }

  /** The records that the asker needs next (RFC 6763 §12.1, §12.2), and NSEC records for missing address types. */
  additionalsTo(answers: Iterable<OwnRecord>): readonly OwnRecord[] {
    const given = new Set(answers);
    // A set iterates in insertion order, also over items added meanwhile: the most needed records come first.
    const all = new Set(given);
    for (const record of all) for (const next of this.#next(record)) all.add(next);
    return [...all].filter((record) => !given.has(record));
  }

  #next(record: OwnRecord): readonly OwnRecord[] {
    if ('target' in record) return this.of(record.target).filter(({ flush }) => flush);
    if (!('address' in record)) return [];
    const host = this.of(record.name);
    const denial = this.#denials.get(looseKey(record.name));
    return denial && !hasBothFamilies(host) ? [...host, denial] : host;
  }
}

/** Whether the known answer `theirs` suppresses `ours` (RFC 6762 §7.1: at least half of its TTL must be left). */
export function knows(theirs: DnsRecord, ours: OwnRecord): boolean {
  return (
    theirs.type === ours.type &&
    nameKey(theirs.name) === nameKey(ours.name) &&
    theirs.ttlSeconds >= ours.ttlSeconds / 2 &&
    sameData(theirs, ours)
  );
}

function hasBothFamilies(records: readonly DnsRecord[]): boolean {
  const has = (type: RecordType): boolean => records.some((record) => record.type === type);
  return has('A') && has('AAAA');
}

/** Ignores escapes: many clients take a dot inside a label for a separator, and must find us too. */
function looseKey(name: string): string {
  return nameKey(name).replaceAll('\\.', '.');
}
