import type { LogRing } from '../../kernel/log-ring.ts';
import type { LiveSettings } from '../settings/relay-settings.ts';
import type { RelayReport } from './relay-report.ts';

/** The daemon's own data, apart from the home. */
export interface RelayOperationDeps {
  readonly settings: LiveSettings;
  /** The last lines of the log. */
  readonly logs: LogRing;
  /** Called on each request: ports are known once it listens, and addresses change. */
  facts(): RelayFacts;
}

export type RelayFacts = Pick<
  RelayReport,
  | 'name'
  | 'version'
  | 'instanceId'
  | 'startedAt'
  | 'uptimeMs'
  | 'dataDirectory'
  | 'addresses'
  | 'port'
  | 'wsPort'
  | 'hasTls'
  | 'publicUrl'
  | 'advertisedAs'
  | 'interfaces'
  | 'areInterfacesChosen'
  | 'settingProblems'
  | 'install'
  | 'previousVersion'
>;
