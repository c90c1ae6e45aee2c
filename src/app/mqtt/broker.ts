/** An MQTT broker that a home is published on. */
import type { MqttFault } from '../../home/mqtt-connector.ts';

/** As it is kept. Only the part that connects ever reads the password. */
export interface Broker {
  /** UUID, lower case. Of one from the configuration: always the same for the same home. */
  readonly id: string;
  readonly homeId: string;
  readonly name: string;
  /** A name in lower case, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly password: string | null;
  readonly useTls: boolean;
  /** Certificates (PEM) of the authorities that it is trusted by; `null` for those that everybody trusts. */
  readonly ca: string | null;
  readonly topicPrefix: string;
  /** Whether Home Assistant is told of every device there. */
  readonly haDiscovery: boolean;
  readonly haDiscoveryPrefix: string;
  readonly enabled: boolean;
  readonly createdAt: number;
  /** It stands in the configuration (`mqtt_url`): it can't be changed here. */
  readonly isConfigured: boolean;
}

/** How a connection to a broker fares. `disabled`: nobody wants one. */
export interface BrokerStatus {
  readonly status: 'connected' | 'connecting' | 'error' | 'disabled';
  /** One sentence for people. */
  readonly error: string | null;
  /** Which kind of trouble that is, for programs; `null` without one. */
  readonly fault: MqttFault | null;
  /** Milliseconds since the epoch; `null` while it is not connected. */
  readonly connectedAt: number | null;
}

/** One broker for every home, as the configuration has it. */
export type ConfiguredBroker = Pick<Broker, 'host' | 'port' | 'username' | 'password' | 'useTls' | 'ca'>;

export const DEFAULT_TOPIC_PREFIX = 'homecast';
/** Home Assistant's own default. */
export const DEFAULT_DISCOVERY_PREFIX = 'homeassistant';
/** As registered with IANA. */
export const MQTT_PORT = 1883;
export const MQTTS_PORT = 8883;
