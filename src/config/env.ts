/** The only reader of `process.env`. It returns typed values; `config.ts` combines them with the flags and the file. */

/** Environment variables: `process.env`, or those of a test. */
export type Variables = Readonly<Record<string, string | undefined>>;

export interface Environment {
  /** Every `HEARTHD_*` variable that is set and not empty. */
  readonly hearthd: ReadonlyMap<string, string>;
  /** systemd's `STATE_DIRECTORY`: the first directory if there are several. */
  readonly stateDirectory: string | undefined;
  readonly xdgDataHome: string | undefined;
  readonly home: string | undefined;
  /** The socket for `systemd-notify`; absent outside a `Type=notify` unit. */
  readonly notifySocket: string | undefined;
  /** systemd's watchdog interval in milliseconds, if systemd watches this process. */
  readonly watchdogMs: number | undefined;
  /** https://no-color.org: any non-empty value. */
  readonly noColor: boolean;
}

const MICROSECONDS_PER_MS = 1000;

/** The variables of this process. */
export function processVariables(): Variables {
  return process.env;
}

export function readEnvironment(variables: Variables): Environment {
  const text = (name: string): string | undefined => variables[name] || undefined;
  return {
    hearthd: new Map(
      Object.entries(variables).flatMap(([name, value]): [string, string][] =>
        name.startsWith('HEARTHD_') && value ? [[name, value]] : [],
      ),
    ),
    stateDirectory: text('STATE_DIRECTORY')?.split(':')[0],
    // The XDG specification: a relative path is invalid and must be ignored.
    xdgDataHome: text('XDG_DATA_HOME')?.startsWith('/') ? text('XDG_DATA_HOME') : undefined,
    home: text('HOME'),
    notifySocket: text('NOTIFY_SOCKET'),
    watchdogMs: watchdogMs(text('WATCHDOG_USEC'), text('WATCHDOG_PID')),
    noColor: text('NO_COLOR') !== undefined,
  };
}

/**
 * `WATCHDOG_PID` identifies the watched process: a child that inherits the variables is not watched
 * (sd_watchdog_enabled(3)).
 */
function watchdogMs(microseconds: string | undefined, pid: string | undefined): number | undefined {
  if (pid !== undefined && Number(pid) !== process.pid) return undefined;
  const value = Number(microseconds);
  return Number.isFinite(value) && value > 0 ? value / MICROSECONDS_PER_MS : undefined;
}
