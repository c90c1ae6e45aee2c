/** An MQTT broker that a home is published on. */
import type { NewBroker, Broker as WireBroker } from '../../contract/mqtt.ts';
import type { Output } from '../../contract/parse.ts';

/** What clients choose. The host is a name in lower case, or an IP address without brackets. */
export type BrokerSettings = Required<Output<typeof NewBroker>> & { readonly port: number };

/** As stored. Only the MQTT bridge reads the password. */
export interface Broker extends BrokerSettings {
  /** UUID, lower case. For a broker from the configuration, always the same for the same home. */
  readonly id: string;
  readonly homeId: string;
  readonly createdAt: number;
  /** Defined by the configuration (`mqtt_url`): it cannot be changed here. */
  readonly isConfigured: boolean;
}

/** Status of a connection to a broker. */
export interface BrokerStatus extends Pick<WireBroker, 'status' | 'error' | 'fault'> {
  /** Milliseconds since the epoch; `null` if not connected. */
  readonly connectedAt: number | null;
}

/** One broker for every home, from the configuration. */
export type ConfiguredBroker = Pick<Broker, 'host' | 'port' | 'username' | 'password' | 'useTls' | 'ca'>;

/** As registered with IANA. */
export const MQTT_PORT = 1883;
export const MQTTS_PORT = 8883;
