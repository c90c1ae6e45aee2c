/** What starts the relay with the computer and keeps it running: systemd on Linux, launchd on macOS. */
import { join } from 'node:path';
import { installKind } from '../../kernel/install-kind.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import type { Computer } from './computer.ts';

export interface ServiceStatus {
  readonly manager: 'systemd' | 'launchd';
  /** The file that describes the service; `null` if there is none. */
  readonly file: string | null;
  /** Whether it starts with the computer. */
  readonly isEnabled: boolean;
  readonly isRunning: boolean;
}

export interface ServiceManager {
  /** Installs and starts it. @throws `CliError` with the way out */
  install(): void;
  /** Stops and removes it; the data stays. @throws `CliError` with the way out */
  uninstall(): void;
  status(): ServiceStatus;
}

const UNIT = '/etc/systemd/system/hearthd.service';
const UNIT_OF_PACKAGE = '/usr/lib/systemd/system/hearthd.service';
/** Those between Node and the program. */
const NODE_FLAGS = /^ExecStart=\S+ ((?:--\S+ )*--\S+) /m;
const USER = 'hearthd';
const HOME_FOLDERS = /^\/(?:home|root|run\/user)\//;
const LABEL = 'hearthd';
const PLIST = `/Library/LaunchDaemons/${LABEL}.plist`;

/** @throws `CliError` there is no known manager here */
export function serviceManager(computer: Computer): ServiceManager {
  if (computer.platform === 'darwin') return launchd(computer);
  if (computer.platform === 'linux' && computer.exists('/run/systemd/system')) return systemd(computer);
  throw refused(
    'no_service_manager',
    'This computer runs neither systemd nor launchd. Start "hearthd start" with the service manager that it has.',
  );
}

function systemd(computer: Computer): ServiceManager {
  const systemctl = (...args: readonly string[]) => computer.run('systemctl', ...args);
  return {
    install() {
      const { program, node } = computer;
      if (installKind(computer) === 'apt')
        throw refused(
          'own_service',
          'The Debian package has its own service. Run: sudo systemctl enable --now hearthd',
        );
      requireRoot(computer, 'install');
      // Its user would not get there, and the unit hides these folders. The archive has its own Node.
      const used = installKind(computer) === 'tarball' ? [program] : [program, node];
      const hidden = used.find((path) => HOME_FOLDERS.test(path));
      if (hidden !== undefined) {
        throw refused(
          'hidden_program',
          `The service can't read ${hidden}: home folders are closed to it. Install Node and hearthd for the whole computer (manual: install), such as with apt, or unpack the archive into /opt.`,
        );
      }
      const unit = computer.read(join(program, 'systemd/hearthd.service'));
      if (unit === undefined)
        throw failed(`${program} is incomplete: it has no systemd/hearthd.service. Install it again.`);
      if (computer.run('getent', 'passwd', USER).status !== 0) {
        const options = ['--system', '--user-group', '--home-dir', '/var/lib/hearthd', '--no-create-home'];
        must(
          computer.run('useradd', ...options, '--shell', '/usr/sbin/nologin', USER),
          `The user ${USER} can't be created`,
        );
      }
      const flags = NODE_FLAGS.exec(unit)?.[1]?.split(' ') ?? [];
      const command = startCommand(computer, flags).map((word) => `"${word.replaceAll('%', '%%')}"`);
      computer.write(
        UNIT,
        unit.replace(/^ExecStart=.*$/m, () => `ExecStart=${command.join(' ')}`),
      );
      must(systemctl('daemon-reload'), 'systemd can’t read the service');
      must(systemctl('enable', 'hearthd.service'), 'The service can’t be enabled');
      // Also where an older one runs already.
      must(systemctl('restart', 'hearthd.service'), 'The service does not start. See journalctl -u hearthd');
    },
    uninstall() {
      if (!computer.exists(UNIT)) {
        if (computer.exists(UNIT_OF_PACKAGE))
          throw refused('own_service', 'The service belongs to the Debian package. Run: sudo apt remove hearthd');
        throw notInstalled();
      }
      requireRoot(computer, 'uninstall');
      must(systemctl('disable', '--now', 'hearthd.service'), 'The service can’t be stopped');
      computer.remove(UNIT);
      must(systemctl('daemon-reload'), 'systemd can’t read its services');
    },
    status: () => ({
      manager: 'systemd',
      file: [UNIT, UNIT_OF_PACKAGE].find((path) => computer.exists(path)) ?? null,
      isEnabled: systemctl('is-enabled', '--quiet', 'hearthd.service').status === 0,
      isRunning: systemctl('is-active', '--quiet', 'hearthd.service').status === 0,
    }),
  };
}

function launchd(computer: Computer): ServiceManager {
  const launchctl = (...args: readonly string[]) => computer.run('launchctl', ...args);
  const isRunning = () => launchctl('print', `system/${LABEL}`).status === 0;
  return {
    install() {
      requireRoot(computer, 'install');
      const plist = computer.read(join(computer.program, 'systemd/hearthd.plist'));
      if (plist === undefined)
        throw failed(`${computer.program} is incomplete: it has no systemd/hearthd.plist. Install it again.`);
      const { sudoUser } = computer;
      if (sudoUser === undefined)
        throw refused(
          'no_user',
          'The service runs as the user who calls sudo. Run as that user: sudo hearthd service install',
        );
      const words = startCommand(computer).map((word) => `<string>${escaped(word)}</string>`);
      const log = escaped(join(homeOf(computer, sudoUser), 'Library/Logs/hearthd.log'));
      computer.write(
        PLIST,
        plist
          .replace('{{command}}', () => words.join(''))
          .replace('{{user}}', () => escaped(sudoUser))
          .replaceAll('{{log}}', () => log),
      );
      if (isRunning()) launchctl('bootout', `system/${LABEL}`);
      must(launchctl('bootstrap', 'system', PLIST), 'launchd does not start the service');
    },
    uninstall() {
      if (!computer.exists(PLIST)) throw notInstalled();
      requireRoot(computer, 'uninstall');
      if (isRunning()) must(launchctl('bootout', `system/${LABEL}`), 'The service can’t be stopped');
      computer.remove(PLIST);
    },
    status: () => {
      const isInstalled = computer.exists(PLIST);
      return { manager: 'launchd', file: isInstalled ? PLIST : null, isEnabled: isInstalled, isRunning: isRunning() };
    },
  };
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Its folder of logs belongs to the user alone: in /tmp, another user could be there first. */
function homeOf(computer: Computer, user: string): string {
  const { out } = computer.run('dscl', '.', '-read', join('/Users', user), 'NFSHomeDirectory');
  const [, home] = /^NFSHomeDirectory:\s*(\/.*)$/m.exec(out) ?? [];
  if (home === undefined) throw failed(`The home folder of ${user} is not known, and the log lies there.`);
  return home;
}

/** The archive brings its Node; the others use the one that runs this. */
function startCommand(computer: Computer, flags: readonly string[] = []): readonly string[] {
  const { program, node } = computer;
  const used = installKind(computer) === 'tarball' ? join(program, 'runtime/node') : node;
  return [used, ...flags, join(program, 'bin/hearthd.js'), 'start'];
}

function requireRoot(computer: Computer, verb: string): void {
  if (!computer.isRoot) throw refused('not_root', `Only root can ${verb} a service. Run: sudo hearthd service ${verb}`);
}

function must({ status, err }: ReturnType<Computer['run']>, sentence: string): void {
  if (status !== 0) throw failed(err ? `${sentence}: ${err}` : `${sentence}.`);
}

const refused = (code: string, message: string) => new CliError(EXIT.refused, code, message);
const failed = (message: string) => new CliError(EXIT.failed, 'service', message);
const notInstalled = () =>
  new CliError(EXIT.notFound, 'no_service', 'No service is installed. Install it with: sudo hearthd service install');
