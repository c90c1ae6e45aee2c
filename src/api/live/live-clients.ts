import type { StreamSupervisor } from './stream-supervisor.ts';

/** The kinds of live connection. */
const KINDS = ['events', 'graphql', 'mcp', 'share', 'websocket'] as const;
export type LiveKind = (typeof KINDS)[number];

/** Counts live clients by kind: each source of streams registers its count here once. For metrics. */
export class LiveClients {
  readonly #watches: (readonly [LiveKind, Pick<StreamSupervisor, 'size'>])[] = [];

  add(kind: LiveKind, watch: Pick<StreamSupervisor, 'size'>): void {
    this.#watches.push([kind, watch]);
  }

  counts(): ReadonlyMap<LiveKind, number> {
    const counts = new Map<LiveKind, number>(KINDS.map((kind) => [kind, 0]));
    for (const [kind, { size }] of this.#watches) counts.set(kind, (counts.get(kind) ?? 0) + size);
    return counts;
  }
}
