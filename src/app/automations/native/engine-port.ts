import type { Admission, Program } from '../program.ts';

/** The part of the engine that the operations need. */
export interface ProgramEngine {
  /** Adds a program, or replaces the program with its id. Before the engine has started it is only stored. */
  put(program: Program): void;
  /** Also ends its runs. */
  remove(id: string): void;
  /** The times at which the clock will fire it next; in milliseconds, at most `count`. */
  nextFireDates(id: string, count: number, after?: number): readonly number[];
  /** Called for every firing, including blocked ones. @returns the function that removes the listener */
  onTriggered(listener: (program: Program, at: number, admission: Admission) => void): () => void;
}
