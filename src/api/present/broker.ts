import type { ShownBroker } from '../../app/mqtt/brokers.ts';
import type { Broker } from '../../contract/mqtt.ts';
import { presentTime } from './time.ts';

export function presentBroker({ createdAt, connectedAt, ...broker }: ShownBroker): Broker {
  return { ...broker, connectedAt: presentTime(connectedAt), createdAt: presentTime(createdAt) };
}
