/** An MQTT broker that a home is published on. */
import type { MqttFault } from '../../home/mqtt-connector.ts';

/** As stored. Only the MQTT bridge reads the password. */
export interface Broker {
  /** UUID, lower case. For a broker from the configuration, always the same for the same home. */
  readonly id: string;
  readonly homeId: string;
  readonly name: string;
  /** A host name in lower case, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly username: string | null;
  readonly password: string | null;
  readonly useTls: boolean;
  /** CA certificates (PEM); `null` = the system's. */
  readonly ca: string | null;
  readonly topicPrefix: string;
  /** Whether to publish Home Assistant discovery messages. */
  readonly haDiscovery: boolean;
  readonly haDiscoveryPrefix: string;
  readonly enabled: boolean;
  readonly createdAt: number;
  /** Defined by the configuration (`mqtt_url`): it cannot be changed here. */
  readonly isConfigured: boolean;
}

/** Status of a connection to a broker. `disabled`: no connection is wanted. */
export interface BrokerStatus {
  readonly status: 'connected' | 'connecting' | 'error' | 'disabled';
  /** One sentence for display. */
  readonly error: string | null;
  /** Machine-readable kind of error; `null` without one. */
  readonly fault: MqttFault | null;
  /** Milliseconds since the epoch; `null` if not connected. */
  readonly connectedAt: number | null;
}

/** One broker for every home, from the configuration. */
export type ConfiguredBroker = Pick<Broker, 'host' | 'port' | 'username' | 'password' | 'useTls' | 'ca'>;

export const DEFAULT_TOPIC_PREFIX = 'homecast';
/** Home Assistant's own default. */
export const DEFAULT_DISCOVERY_PREFIX = 'homeassistant';
/** As registered with IANA. */
export const MQTT_PORT = 1883;
export const MQTTS_PORT = 8883;
