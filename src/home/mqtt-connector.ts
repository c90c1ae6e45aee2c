/**
 * The port to MQTT brokers: one connection at a time, which lives once. Whoever wants another makes another; when that is worth a try
 * is not decided here. Nothing is kept for a broker that is away: what could not be handed over is the caller's again.
 */

export interface MqttMessage {
  readonly topic: string;
  /** Empty and retained: the broker forgets what it kept under this topic. */
  readonly payload: string;
  /** Whether the broker keeps it for those who come later. */
  readonly retain: boolean;
  /** 0: at most once. 1: at least once, settled when the broker has confirmed it. */
  readonly qos: 0 | 1;
}

export interface ReceivedMessage {
  readonly topic: string;
  readonly payload: Uint8Array;
  /** The broker had kept it: nobody has sent it just now. */
  readonly retained: boolean;
}

export interface MqttTarget {
  /** A name, or an IP address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly useTls: boolean;
  /** Certificates (PEM) to trust instead of the usual authorities. */
  readonly ca: string | null;
  readonly username: string | null;
  readonly password: string | null;
  readonly clientId: string;
  /** What the broker publishes when the connection breaks off. */
  readonly will: MqttMessage | null;
}

/**
 * Why there is no connection. `network`: nobody answers, or it broke off · `credentials`: the broker refuses who we say we are ·
 * `certificate`: it is not who it should be · `protocol`: it speaks no MQTT that we know, or refuses for reasons of its own.
 */
export type MqttFault = 'network' | 'credentials' | 'certificate' | 'protocol';

export interface MqttClosed {
  readonly fault: MqttFault;
  /** One sentence for people. */
  readonly message: string;
}

export interface MqttEvents {
  /** The broker has accepted us. */
  onConnect(): void;
  /** Once, when no connection came about or it broke off. Never after `close`. */
  onClose(closed: MqttClosed): void;
  onMessage(message: ReceivedMessage): void;
}

export interface MqttConnection {
  /** Settles when it is out (QoS 0) or confirmed (QoS 1). Rejects once the connection is gone. */
  publish(message: MqttMessage): Promise<void>;
  /** Topic filters, with QoS 0: nothing comes twice. @throws if the broker refuses one of them */
  subscribe(filters: readonly string[]): Promise<void>;
  /** Takes leave, so that the will is not published; breaks off if that takes longer than a second. May be called twice. */
  close(): Promise<void>;
  readonly isConnected: boolean;
  /** Bytes that the broker has not taken yet: what a slow one costs in memory. */
  readonly bufferedBytes: number;
}

export interface MqttConnector {
  /** Begins to connect; how it goes, `events` says later, never before this has returned. */
  connect(target: MqttTarget, events: MqttEvents): MqttConnection;
}
