/** Like `api-resources.ts`, for MQTT brokers. */

/** From `/rest/homes/:id/mqtt/brokers`. */
export interface BrokerResource {
  readonly id: string;
  readonly homeId: string;
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly useTls: boolean;
  readonly topicPrefix: string;
  readonly status: string;
  readonly error: string | null;
  readonly isConfigured: boolean;
}

/** From `/rest/homes/:id/mqtt`. */
export interface MqttResource {
  readonly enabled: boolean;
  readonly brokers: readonly BrokerResource[];
}

/** Response of POST `/rest/homes/:id/mqtt/brokers/:brokerId/test`. */
export interface BrokerTestResource {
  readonly success: boolean;
  readonly error: string | null;
  readonly responseTimeMs: number | null;
}
