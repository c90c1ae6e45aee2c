import type { Database } from '../../../storage/database.ts';
import type { Json } from '../flow.ts';

export interface Hold {
  readonly sinceAt: number;
  readonly dueAt: number;
  /** What its trigger will say when it fires. */
  readonly data: Json;
}

/** The table `holds`. */
export declare class HoldStore {
  /** @param database `null`: only remembered (a dry run) */
  constructor(database: Database | null);
  find(key: string): Hold | undefined;
  save(key: string, hold: Hold): void;
  delete(key: string): void;
  retain(keys: ReadonlySet<string>): void;
  transaction<T>(write: () => T): T;
}
