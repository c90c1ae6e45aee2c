import type { MatterClusters } from '../../home/matter-port.ts';

type Send = (values: readonly { readonly key: string; readonly clusters: MatterClusters }[]) => void;

/** Values of one moment become one message, with the last value of each attribute. */
export class ValueBatch {
  readonly #send: Send;
  readonly #pending = new Map<string, MatterClusters>();
  #timer: NodeJS.Immediate | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  add(key: string, clusters: MatterClusters): void {
    this.#pending.set(key, merge(this.#pending.get(key) ?? {}, clusters));
    this.#timer ??= setImmediate(() => {
      const values = [...this.#pending].map(([one, given]) => ({ key: one, clusters: given }));
      this.clear();
      this.#send(values);
    });
  }

  clear(): void {
    clearImmediate(this.#timer);
    this.#timer = undefined;
    this.#pending.clear();
  }
}

function merge(before: MatterClusters, after: MatterClusters): MatterClusters {
  const merged = { ...before };
  for (const [cluster, attributes] of Object.entries(after)) merged[cluster] = { ...merged[cluster], ...attributes };
  return merged;
}
