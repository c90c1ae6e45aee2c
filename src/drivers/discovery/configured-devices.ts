import type { Discovery } from './discovery.ts';

/** Keeps discovery in step with the accessories that the setting `manual_device` names, while that changes. */
export class ConfiguredDevices {
  readonly #discovery: Pick<Discovery, 'addManual' | 'removeManual'>;
  readonly #entered: () => readonly string[];
  #configured: readonly string[];

  /**
   * @param parts.entered those that somebody entered by hand: they stay, whatever the setting says.
   * @param parts.configured those that discovery knows already.
   */
  constructor(parts: {
    readonly discovery: Pick<Discovery, 'addManual' | 'removeManual'>;
    readonly entered: () => readonly string[];
    readonly configured: readonly string[];
  }) {
    this.#discovery = parts.discovery;
    this.#entered = parts.entered;
    this.#configured = parts.configured;
  }

  follow(configured: readonly string[]): void {
    const kept = new Set([...configured, ...this.#entered()]);
    for (const device of this.#configured) if (!kept.has(device)) this.#discovery.removeManual(device);
    for (const device of configured) this.#discovery.addManual(device);
    this.#configured = configured;
  }
}
