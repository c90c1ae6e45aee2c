/** The port to services that programs announce on the network: MQTT brokers and Home Assistant. */

export const SERVICE_KINDS = ['mqtt', 'secure_mqtt', 'home_assistant'] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

export interface FoundService {
  readonly kind: ServiceKind;
  /** As it is announced, fit to be shown. */
  readonly name: string;
  /** Addresses in the local network, the likeliest to work first; never empty. */
  readonly addresses: readonly string[];
  readonly port: number;
}

export interface ServiceSearch {
  /** Asks the network now, which takes some seconds. Searches at the same time are one. Never rejects. */
  search(): Promise<readonly FoundService[]>;
}
