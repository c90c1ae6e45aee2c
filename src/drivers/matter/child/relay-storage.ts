/**
 * The library's storage, kept by the relay: everything is in memory here, and a change is done when the relay has
 * stored it. Values are bytes of `node:v8`, because they hold big integers and byte arrays.
 */
import { deserialize, serialize } from 'node:v8';
import { StorageDriver, type SupportedStorageTypes } from '@matter/main';
import type { MatterStorageChange, MatterStoredValue } from '../../../home/matter-port.ts';
import { HOME_VALUES } from './home-values.ts';
import type { ParentLink } from './parent-link.ts';

type Values = Record<string, SupportedStorageTypes>;

export class RelayStorage extends StorageDriver {
  static readonly id = 'relay';
  readonly #contexts = new Map<string, Map<string, SupportedStorageTypes>>();
  readonly #link: ParentLink;
  #pending: MatterStorageChange[] = [];
  #flush: Promise<void> | undefined;

  constructor(link: ParentLink, stored: readonly MatterStoredValue[]) {
    super();
    this.#link = link;
    for (const { context, key, value } of stored) this.#context(context).set(key, deserialize(value));
  }

  override readonly initialized = true;

  override initialize(): void {}

  override close(): void {}

  override get(contexts: string[], key: string): SupportedStorageTypes | undefined {
    return this.#contexts.get(nameOf(contexts))?.get(key);
  }

  override set(contexts: string[], values: Values): Promise<void>;
  override set(contexts: string[], key: string, value: SupportedStorageTypes): Promise<void>;
  override set(contexts: string[], given: string | Values, value?: SupportedStorageTypes): Promise<void> {
    const context = nameOf(contexts);
    const values = typeof given === 'string' ? { [given]: value } : given;
    for (const [key, one] of Object.entries(values)) this.#context(context).set(key, one);
    const toStore = Object.entries(values).filter(([key]) => !isSetByHome(context, key));
    return this.#store(toStore.map(([key, one]) => ({ type: 'set', context, key, value: serialize(one) })));
  }

  override delete(contexts: string[], key: string): Promise<void> {
    const context = nameOf(contexts);
    const existed = this.#contexts.get(context)?.delete(key) ?? false;
    return this.#store(existed ? [{ type: 'delete', context, key }] : []);
  }

  override keys(contexts: string[]): string[] {
    return [...(this.#contexts.get(nameOf(contexts))?.keys() ?? [])];
  }

  override values(contexts: string[]): Values {
    return Object.fromEntries(this.#contexts.get(nameOf(contexts)) ?? []);
  }

  override contexts(contexts: string[]): string[] {
    const start = contexts.length === 0 ? '' : `${nameOf(contexts)}.`;
    const below = [...this.#contexts].filter(([name, values]) => name.startsWith(start) && values.size > 0);
    const names = below.map(([name]) => name.slice(start.length).split('.', 1)[0] ?? '');
    return [...new Set(names)].filter((name) => name !== '');
  }

  override clearAll(contexts: string[]): Promise<void> {
    const context = nameOf(contexts);
    for (const name of [...this.#contexts.keys()]) {
      if (context === '' || name === context || name.startsWith(`${context}.`)) this.#contexts.delete(name);
    }
    return this.#store([{ type: 'clear', context }]);
  }

  /** Changes of one moment become one message, and one transaction there. */
  #store(changes: readonly MatterStorageChange[]): Promise<void> {
    if (changes.length === 0) return Promise.resolve();
    this.#pending.push(...changes);
    this.#flush ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      const batch = this.#pending;
      this.#pending = [];
      this.#flush = undefined;
      return this.#link.store(batch);
    });
    return this.#flush;
  }

  #context(name: string): Map<string, SupportedStorageTypes> {
    let values = this.#contexts.get(name);
    if (!values) {
      values = new Map();
      this.#contexts.set(name, values);
    }
    return values;
  }
}

/** A lamp that is switched a hundred times a day must not be a hundred writes to the disk. */
function isSetByHome(context: string, key: string): boolean {
  const [, cluster = ''] = /^root\.parts\.aggregator\.parts\.[^.]+\.([^.]+)$/.exec(context) ?? [];
  const values = HOME_VALUES[cluster];
  return values !== undefined && (values.controlled.includes(key) || values.reported?.includes(key) === true);
}

function nameOf(contexts: readonly string[]): string {
  return contexts.join('.');
}
