import type { Watch } from './watch.ts';

/** How somebody looks on. */
const KINDS = ['events', 'graphql', 'mcp', 'share', 'websocket'] as const;
export type LiveKind = (typeof KINDS)[number];

/** How many look on, and how: whoever opens streams of a kind says so here, once. For figures. */
export class LiveClients {
  readonly #watches: (readonly [LiveKind, Pick<Watch, 'size'>])[] = [];

  add(kind: LiveKind, watch: Pick<Watch, 'size'>): void {
    this.#watches.push([kind, watch]);
  }

  counts(): ReadonlyMap<LiveKind, number> {
    const counts = new Map<LiveKind, number>(KINDS.map((kind) => [kind, 0]));
    for (const [kind, { size }] of this.#watches) counts.set(kind, (counts.get(kind) ?? 0) + size);
    return counts;
  }
}
