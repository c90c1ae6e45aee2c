/**
 * The port to MQTT brokers. A connection object is used once; to reconnect, the caller opens another one and decides
 * when. Nothing is queued for an unreachable broker: the caller keeps unsent messages.
 */

export interface MqttMessage {
  readonly topic: string;
  /** Empty and retained: the broker deletes the retained message of this topic. */
  readonly payload: string;
  /** Whether the broker retains it for later subscribers. */
  readonly retain: boolean;
  /** 0: at most once. 1: at least once, settled when the broker confirms it. */
  readonly qos: 0 | 1;
}

export interface ReceivedMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** A retained message of the broker, not published just now. */
  readonly retained: boolean;
}

export interface MqttTarget {
  /** A host name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly useTls: boolean;
  /** Certificates (PEM) to trust instead of the default authorities. */
  readonly ca: string | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly clientId: string;
  /** The message that the broker publishes when the connection breaks. */
  readonly will: MqttMessage | null;
}

/**
 * Why there is no connection. `network`: no answer, or the connection broke · `credentials`: the broker rejects our
 * credentials · `certificate`: the broker's certificate is not trusted · `protocol`: the broker speaks no MQTT version
 * that we support, or refuses for another reason.
 */
export type MqttFault = 'network' | 'credentials' | 'certificate' | 'protocol';

export interface MqttClosed {
  readonly fault: MqttFault;
  /** One readable sentence. */
  readonly message: string;
}

export interface MqttEvents {
  /** The broker accepted the connection. */
  onConnect(): void;
  /** Called once, when the connection fails or breaks. Never called after `close`. */
  onClose(closed: MqttClosed): void;
  onMessage(message: ReceivedMessage): void;
}

export interface MqttConnection {
  /** Settles when the message is sent (QoS 0) or confirmed (QoS 1). Rejects when the connection is gone. */
  publish(message: MqttMessage): Promise<void>;
  /** Subscribes to topic filters with QoS 0, so no message arrives twice. @throws if the broker refuses a filter */
  subscribe(filters: readonly string[]): Promise<void>;
  /**
   * Disconnects cleanly, so that the broker does not publish the will; drops the connection after one second.
   * Idempotent.
   */
  close(): Promise<void>;
  readonly isConnected: boolean;
  /** Bytes that the broker has not accepted yet: the memory cost of a slow broker. */
  readonly bufferedBytes: number;
}

export interface MqttConnector {
  /** Starts to connect; `events` report the result later, never before this call returns. */
  connect(target: MqttTarget, events: MqttEvents): MqttConnection;
}
