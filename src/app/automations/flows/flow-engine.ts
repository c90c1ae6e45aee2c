import type { Json } from '../flow.ts';
import type { Admission, Program } from '../program.ts';

/** What the operations need of the engine. */
export interface FlowEngine {
  /** Takes a program in, or in the place of the one with its id. Before the engine has started it is only kept. */
  put(program: Program): void;
  /** Ends its runs too. */
  remove(id: string): void;
  /** Begins a run as somebody asked; does not wait for it. */
  trigger(id: string, by: { readonly type: 'manual'; readonly variables?: Readonly<Record<string, Json>> }): Admission;
  /** Of every firing, those that were blocked too. @returns the function that ends it */
  onTriggered(listener: (program: Program, at: number, admission: Admission) => void): () => void;
}
