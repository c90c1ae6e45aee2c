/** What two settings of brokers may not have in common. */
import { HearthError } from '../../kernel/errors.ts';
import type { Broker } from './broker.ts';
import type { BrokerSettings } from './broker-input.ts';

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
  return isSameDiscovery ? `Home Assistant is told of the home under ${one.haDiscoveryPrefix} already` : undefined;
}
