import type { Json } from '../../../kernel/json.ts';
import type { Admission, Program } from '../program.ts';

/** The part of the engine that the operations need. */
export interface FlowEngine {
  /** Adds a program, or replaces the program with its id. Before the engine has started it is only stored. */
  put(program: Program): void;
  /** Also ends its runs. */
  remove(id: string): void;
  /** Starts a requested run; does not wait for it. */
  trigger(id: string, by: { readonly type: 'manual'; readonly variables?: Readonly<Record<string, Json>> }): Admission;
  /** Called for every firing, including blocked ones. @returns the function that removes the listener */
  onTriggered(listener: (program: Program, at: number, admission: Admission) => void): () => void;
}
