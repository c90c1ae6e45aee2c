import type { Flow } from '../flow.ts';
import type { ParseContext } from '../parsing/parsing.ts';

/** The surroundings of a flow that is parsed. */
export interface FlowContext extends ParseContext {
  readonly flows: (id: string) => Flow | undefined;
}
