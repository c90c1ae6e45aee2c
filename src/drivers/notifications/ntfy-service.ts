import type { OutgoingNotification } from '../../home/notification-channel.ts';
import type { NtfyService } from '../../home/ntfy-service.ts';
import { NtfyChannel, type NtfySettings, splitTopic } from './ntfy.ts';

const PUBLIC_SERVER = 'https://ntfy.sh/';

/** Addresses come from the configuration and from here, never from people, so local servers are allowed. */
export class PersonalNtfy implements NtfyService {
  readonly #settings: () => NtfySettings | null;

  /** @param settings of the configured topic, at whose server those of people are too. */
  constructor(settings: () => NtfySettings | null) {
    this.#settings = settings;
  }

  addressOf(topic: string): string {
    const settings = this.#settings();
    return `${settings ? splitTopic(settings.url).root : PUBLIC_SERVER}${topic}`;
  }

  /** The token goes to its own server only: a topic stays where it was made when the configuration changes. */
  send(url: string, notification: OutgoingNotification, signal: AbortSignal): Promise<void> {
    const settings = this.#settings();
    const isSameServer = settings !== null && splitTopic(settings.url).root === splitTopic(url).root;
    return new NtfyChannel({ url, token: isSameServer ? settings.token : null }).send(notification, signal);
  }
}
