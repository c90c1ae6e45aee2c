/** The fields that all actions have; the kinds in `actions/` declare the others. */

/**
 * How a run continues after an action fails. `retry`: repeats it after a delay that doubles; after the last retry, the
 * run continues.
 */
export const ERROR_POLICIES = ['stop', 'continue', 'retry'] as const;
export type ErrorPolicy = (typeof ERROR_POLICIES)[number];

/** An action of any kind: what the engine knows of it. */
export interface ActionNode {
  /** Unique in the flow, including nested actions: `nodes['<id>'].data` is its output. */
  readonly id: string;
  readonly type: string;
  readonly alias?: string;
  readonly enabled: boolean;
  readonly onError: ErrorPolicy;
  /** 3 if omitted. */
  readonly maxRetries?: number;
  /** 1,000 if omitted; doubles up to 30,000. */
  readonly retryDelayMs?: number;
}
