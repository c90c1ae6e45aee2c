/** Like `api-resources.ts`, for webhooks and MQTT brokers. */

/** From `/rest/webhooks`; times are ISO 8601. */
export interface WebhookResource {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly secretPrefix: string;
  readonly status: string;
  readonly eventTypes: readonly string[];
  readonly homeIds: readonly string[];
  readonly roomIds: readonly string[];
  readonly accessoryIds: readonly string[];
  readonly collectionIds: readonly string[];
  readonly maxRetries: number;
  readonly rateLimitPerMinute: number | null;
  readonly timeoutMs: number;
  readonly consecutiveFailures: number;
  readonly droppedCount: number;
  readonly queuedCount: number;
  readonly lastSuccessAt: string | null;
  readonly lastFailureAt: string | null;
  readonly lastFailureReason: string | null;
}

export interface WebhookEventTypeResource {
  readonly eventType: string;
  readonly description: string;
}

/** Response of POST `/rest/webhooks/:id/test`. */
export interface TestDeliveryResource {
  readonly success: boolean;
  readonly statusCode: number | null;
  readonly responseTimeMs: number | null;
  readonly error: string | null;
}

/** From GET `/rest/webhooks/:id/deliveries`. */
export interface WebhookDeliveryResource {
  readonly id: string;
  readonly eventType: string;
  readonly status: string;
  readonly attemptNumber: number;
  readonly maxAttempts: number;
  readonly responseStatusCode: number | null;
  readonly errorMessage: string | null;
  readonly createdAt: string;
}

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
