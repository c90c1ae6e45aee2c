import type { Discovery } from './discovery.ts';

/** Updates discovery when the accessories in the `manual_device` setting change. */
export class ConfiguredDevices {
  readonly #discovery: Pick<Discovery, 'addManual' | 'removeManual'>;
  readonly #entered: () => readonly string[];
  #configured: readonly string[];

  /**
   * @param parts.entered those that a user added at run time: they stay, regardless of the setting
   * @param parts.configured those that discovery already has
   */
  constructor(deps: {
    readonly discovery: Pick<Discovery, 'addManual' | 'removeManual'>;
    readonly entered: () => readonly string[];
    readonly configured: readonly string[];
  }) {
    this.#discovery = deps.discovery;
    this.#entered = deps.entered;
    this.#configured = deps.configured;
  }

  follow(configured: readonly string[]): void {
    const kept = new Set([...configured, ...this.#entered()]);
    for (const device of this.#configured) if (!kept.has(device)) this.#discovery.removeManual(device);
    for (const device of configured) this.#discovery.addManual(device);
    this.#configured = configured;
  }
}
