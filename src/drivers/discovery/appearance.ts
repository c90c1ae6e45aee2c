/**
 * A service instance as one origin advertises it, assembled from the record cache: SRV, TXT and addresses, and the
 * records that are still missing.
 */

import { type ReceivedAddress, rankAddresses } from './addresses.ts';
import type { DnsQuestion, DnsRecordOf } from './dns-message.ts';
import { instanceName, nameKey } from './dns-name.ts';
import type { CachedRecord, RecordCache } from './record-cache.ts';
import { type HapTxt, parseHapTxt, printable } from './txt-record.ts';

export interface Appearance {
  /** Comparable form of the instance's full name. */
  readonly instance: string;
  /** The whole instance label. */
  readonly name: string;
  readonly originKey: string;
  /** The server's identity: appearances with the same instance, host and port are the same server. */
  readonly server: string;
  readonly host: string;
  readonly port: number;
  readonly txt: HapTxt;
  readonly addresses: readonly ReceivedAddress[];
  /** When its SRV or TXT record was last received. */
  readonly receivedAt: number;
}

/** A question without an answer yet. The key distinguishes the same question for two origins. */
export interface MissingRecord {
  readonly key: string;
  readonly question: DnsQuestion;
}

/** Every complete appearance of an instance. An instance without a readable HAP TXT record has none. */
export function appearancesOf(cache: RecordCache, instance: string): readonly Appearance[] {
  const texts = cache.get('TXT', instance);
  return cache.get('SRV', instance).flatMap((srv) => {
    const text = texts.find(({ originKey }) => originKey === srv.originKey);
    const txt = text && parseHapTxt(text.record.strings);
    if (!txt) return [];
    return {
      instance: nameKey(instance),
      name: printable(instanceName(srv.record.name)),
      originKey: srv.originKey,
      server: JSON.stringify([nameKey(instance), nameKey(srv.record.target), srv.record.port]),
      host: srv.record.target,
      port: srv.record.port,
      txt,
      addresses: addressesOf(cache, srv),
      receivedAt: Math.max(srv.receivedAt, text.receivedAt),
    };
  });
}

/** The questions to ask so that each origin of the instance has a complete appearance. */
export function missingRecords(cache: RecordCache, instance: string): readonly MissingRecord[] {
  const services = cache.get('SRV', instance);
  const texts = cache.get('TXT', instance);
  const missing = new Map<string, MissingRecord>();
  const miss = (originKey: string, question: DnsQuestion): void => {
    const key = `${originKey} ${question.type} ${question.name}`;
    missing.set(key, { key, question });
  };
  for (const received of [...cache.get('PTR', instance), ...services, ...texts]) {
    if (received.doomed) continue;
    const { originKey, record } = received;
    const name = record.type === 'PTR' ? record.target : record.name;
    if (!services.some((other) => other.originKey === originKey)) miss(originKey, { name, type: 'SRV' });
    if (!texts.some((other) => other.originKey === originKey)) miss(originKey, { name, type: 'TXT' });
  }
  for (const { record, originKey, doomed } of services) {
    if (doomed || cache.get('A', record.target).length > 0) continue;
    miss(originKey, { name: record.target, type: 'A' });
    if (cache.get('AAAA', record.target).length === 0) miss(originKey, { name: record.target, type: 'AAAA' });
  }
  return [...missing.values()];
}

/** The addresses to try for the appearances of one server, the likeliest first. */
export function serverAddresses(appearances: readonly Appearance[]): readonly string[] {
  return rankAddresses(appearances.flatMap(({ addresses }) => addresses));
}

/**
 * The addresses of the SRV target, as this origin advertises them. Addresses from other origins count too: a device
 * that moved may announce only its new address. They do not count if the other origin itself has an instance on a host
 * of that name: then two devices share one host name. Without any address, the sender's own address is used.
 */
function addressesOf(cache: RecordCache, srv: CachedRecord<DnsRecordOf<'SRV'>>): readonly ReceivedAddress[] {
  const host = srv.record.target;
  const received = [...cache.get('A', host), ...cache.get('AAAA', host)].filter(
    ({ originKey }) => originKey === srv.originKey || !cache.presentsOn(host, originKey),
  );
  const current = received.filter(({ doomed }) => !doomed);
  const addresses = (current.length > 0 ? current : received).map(({ record, origin, since }) => ({
    address: record.address,
    ...origin,
    since,
  }));
  if (rankAddresses(addresses).length > 0) return addresses;
  return [{ address: srv.origin.sender, ...srv.origin, since: srv.since }];
}
