/** The last lines of the log, as an operation. Log calls themselves decide on content and secrecy. */
import { parseInput } from '../../contract/parse.ts';
import { LogQuery } from '../../contract/relay.ts';
import type { HomeState } from '../../home/home-state.ts';
import type { LogLine, LogRing } from '../../kernel/log-ring.ts';
import type { Access } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';

export class RelayLogs {
  readonly #deps: { readonly logs: LogRing; readonly state: HomeState; readonly access: Access };

  constructor(deps: { readonly logs: LogRing; readonly state: HomeState; readonly access: Access }) {
    this.#deps = deps;
  }

  /**
   * The newest lines, oldest first. Requires a signed-in owner of every home, or the system: lines may name things of
   * any home.
   * @param query `limit` 1–1000, 200 if left out.
   * @returns times in milliseconds since the epoch.
   * @throws `insufficient_permissions` · `invalid_value` naming the field
   */
  read(caller: Caller, query: LogQuery = {}): readonly LogLine[] {
    const { access, state, logs } = this.#deps;
    access.authorizeRelay(caller, state.homes());
    return logs.read({ level: 'debug', ...parseInput(LogQuery, query) });
  }
}
