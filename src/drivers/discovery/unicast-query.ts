/**
 * Asks one host directly for its HAP services: a legacy unicast mDNS query (RFC 6762 §6.7) from an ephemeral port, for
 * networks without multicast.
 */
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import type { Clock } from '../../kernel/clock.ts';
import { type Appearance, appearancesOf, missingRecords } from './appearance.ts';
import { type DnsQuestion, readResponse } from './dns-message.ts';
import { nameKey } from './dns-name.ts';
import { writeQuery } from './dns-writer.ts';
import { HAP_SERVICE } from './querier.ts';
import { RecordCache } from './record-cache.ts';

/** Enough for a sleepy device behind a slow link. */
const ANSWER_MS = 2_000;
/** The number of queries for records that were missing from the answer. */
const FOLLOW_UPS = 2;
const MAX_FOLLOW_UP_QUESTIONS = 20;

export interface UnicastQuery {
  /** IP address, with its zone if it needs one. */
  readonly address: string;
  readonly port: number;
  /** The port of the accessory server to find among those of the host. */
  readonly servicePort: number;
  readonly clock: Clock;
}

/** @returns the accessory server on `servicePort`, or `undefined` without an answer. Never rejects. */
export function askHost({ address, port, servicePort, clock }: UnicastQuery): Promise<Appearance | undefined> {
  const [plain = address, zone = ''] = address.split('%');
  const origin = { interfaceName: zone, loopback: plain === '::1' || plain.startsWith('127.'), sender: plain };
  const cache = new RecordCache();
  const instances = new Set<string>();
  let followUps = FOLLOW_UPS;
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(plain) ? 'udp6' : 'udp4');
    let cancel: (() => void) | undefined;
    const end = (found?: Appearance): void => {
      cancel?.();
      cancel = undefined;
      socket.removeAllListeners('message');
      closeQuietly(() => socket.close());
      resolve(found);
    };
    const ask = (questions: readonly DnsQuestion[]): void => {
      closeQuietly(() => socket.send(writeQuery(questions, { unicast: true }), (error) => error && end()));
    };
    socket.on('error', () => end());
    socket.on('message', (packet) => {
      for (const record of readResponse(packet) ?? []) {
        cache.put(record, origin, clock.monotonic());
        if (record.type === 'PTR' && nameKey(record.name) === HAP_SERVICE) instances.add(record.target);
        if (record.type === 'SRV' && nameKey(record.name).endsWith(`.${HAP_SERVICE}`)) instances.add(record.name);
      }
      const found = [...instances]
        .flatMap((instance) => appearancesOf(cache, instance))
        .find((appearance) => appearance.port === servicePort);
      if (found) return end(found);
      const missing = [...instances].flatMap((instance) =>
        missingRecords(cache, instance).filter(({ question }) => question.type === 'SRV' || question.type === 'TXT'),
      );
      if (missing.length === 0 || followUps === 0) return;
      followUps -= 1;
      ask(missing.slice(0, MAX_FOLLOW_UP_QUESTIONS).map(({ question }) => question));
    });
    cancel = clock.after(ANSWER_MS, () => end());
    // A connected socket receives packets from this host only, and reports an ICMP error for a closed port.
    closeQuietly(() => socket.connect(port, address, () => ask([{ name: HAP_SERVICE, type: 'PTR' }])));
  });
}

/** A datagram socket throws if it is closed, or if the address is unusable here; the deadline handles that. */
function closeQuietly(action: () => void): void {
  try {
    action();
  } catch {
    // Nothing to do: the query ends without an answer.
  }
}
