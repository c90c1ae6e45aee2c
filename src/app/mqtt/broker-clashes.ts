/** What settings of brokers may not have together. */
import { HearthError } from '../../kernel/errors.ts';
import type { Broker, BrokerSettings } from './broker.ts';

/** @throws `invalid_value` naming the field */
export function requireConsistent({ password, username, ca, useTls }: BrokerSettings): void {
  // MQTT 3.1.1 §3.1.2.9: a password needs a user name.
  if (password !== null && username === null) throw invalid('username', 'it too: a password needs one');
  if (ca !== null && !useTls) throw invalid('useTls', 'true: certificates are of use with TLS only');
}

function invalid(field: string, wanted: string): HearthError {
  return new HearthError('invalid_value', `Invalid value for ${field}: give ${wanted}.`, { field });
}

/** Whether the password of one broker would reach another server through the other, or be exposed on the way. */
export function leadsElsewhere(before: BrokerSettings, after: BrokerSettings): boolean {
  const isLessSafe = before.useTls && !after.useTls;
  return before.host !== after.host || before.port !== after.port || before.ca !== after.ca || isLessSafe;
}

export function requireApart(broker: Broker, others: readonly Broker[]): void {
  for (const other of others.filter(({ id }) => id !== broker.id)) {
    const clash = clashOf(broker, other);
    if (clash)
      throw new HearthError('conflict', `${clash} on ${other.name}.`, { reason: 'broker_twice', field: 'host' });
  }
}

/** The settings that make two brokers undo each other's work. */
export function clashOf(one: Broker, other: Broker): string | undefined {
  if (one.host !== other.host || one.port !== other.port) return undefined;
  if (one.topicPrefix === other.topicPrefix) return `The home is published under ${one.topicPrefix} already`;
  const isSameDiscovery = one.haDiscovery && other.haDiscovery && one.haDiscoveryPrefix === other.haDiscoveryPrefix;
  return isSameDiscovery ? `The home is already announced to Home Assistant under ${one.haDiscoveryPrefix}` : undefined;
}
