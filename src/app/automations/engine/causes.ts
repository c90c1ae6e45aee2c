import type { Cause } from '../program.ts';

export declare class Causes {
  /** What led to what this accessory does now: the run that wrote to it in the last seconds, else nothing of ours. */
  of(accessoryId: string): Cause;
}
