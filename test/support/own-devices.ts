/**
 * A discovery in which only a test's own accessories are new. Tests that run at the same time have theirs on the same
 * loopback, and the dashboard offers every one of them.
 */
import {
  type Advertisement,
  type Discovery,
  isUnpaired,
  type Sighting,
} from '../../src/drivers/discovery/discovery.ts';

export class OwnDevices implements Discovery {
  readonly #real: Discovery;
  readonly #own: ReadonlySet<string>;

  /** @param own device ids */
  constructor(real: Discovery, own: ReadonlySet<string>) {
    this.#real = real;
    this.#own = own;
  }

  start(): Promise<void> | void {
    return this.#real.start();
  }

  stop(): Promise<void> | void {
    return this.#real.stop();
  }

  list(): readonly Advertisement[] {
    return this.#real.list().filter((each) => this.#isShown(each));
  }

  find(deviceId: string): Advertisement | undefined {
    const found = this.#real.find(deviceId);
    return found && this.#isShown(found) ? found : undefined;
  }

  onSighting(listener: (sighting: Sighting) => void): () => void {
    return this.#real.onSighting((sighting) => {
      if (this.#isShown(sighting.advertisement)) listener(sighting);
    });
  }

  refresh(deviceId?: string): void {
    this.#real.refresh(deviceId);
  }

  addManual(hostPort: string): void {
    this.#real.addManual(hostPort);
  }

  removeManual(hostPort: string): void {
    this.#real.removeManual(hostPort);
  }

  #isShown(advertisement: Advertisement): boolean {
    return this.#own.has(advertisement.deviceId) || !isUnpaired(advertisement);
  }
}
