import type { Admission, Program } from '../program.ts';

/** What the operations need of the engine. */
export interface ProgramEngine {
  /** Takes a program in, or in the place of the one with its id. Before the engine has started it is only kept. */
  put(program: Program): void;
  /** Ends its runs too. */
  remove(id: string): void;
  /** When the clock will fire it next; in milliseconds, at most `count`. */
  nextFireDates(id: string, count: number, after?: number): readonly number[];
  /** Of every firing, those that were blocked too. @returns the function that ends it */
  onTriggered(listener: (program: Program, at: number, admission: Admission) => void): () => void;
}
