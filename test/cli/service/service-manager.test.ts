import { describe, expect, it } from 'vitest';
import { CliError, EXIT } from '../../../src/cli/exit-codes.ts';
import { serviceManager } from '../../../src/cli/service/service-manager.ts';
import { installKind } from '../../../src/kernel/install-kind.ts';
import { fakeComputer } from './fake-computer.ts';

const UNIT = '/etc/systemd/system/hearthd.service';
const PLIST = '/Library/LaunchDaemons/hearthd.plist';

function refusal(act: () => void): CliError {
  try {
    act();
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error('It was not refused.');
}

describe('the kind of an install', () => {
  it('follows from where the program lies', () => {
    const kindOf = (program: string, files: Record<string, string> = {}) =>
      installKind(fakeComputer({ program, files }));
    expect(kindOf('/usr/lib/hearthd/')).toBe('apt');
    expect(kindOf('/usr/local/lib/node_modules/hearthd')).toBe('npm');
    expect(kindOf('/opt/hearthd', { '/opt/hearthd/runtime/node': '' })).toBe('tarball');
    expect(kindOf('/opt/hearthd')).toBe('checkout');
    const among = (...files: readonly string[]) =>
      installKind({ program: '/usr/lib/hearthd', exists: (path) => files.includes(path) });
    for (const marker of ['/.dockerenv', '/run/.containerenv']) {
      expect(among(marker)).toBe('image');
      // A whole Debian in a container is upgraded as any other.
      expect(among(marker, '/run/systemd/system')).toBe('apt');
    }
  });
});

describe('a service of systemd', () => {
  it('is installed with the program and the Node that run, under a user of its own, and started', () => {
    const computer = fakeComputer({ program: '/usr/local/lib/node_modules/hearthd' });
    computer.answers.set('getent passwd hearthd', { status: 2 });
    serviceManager(computer).install();
    const unit = computer.files.get(UNIT);
    // With the flags of Node that keep it small.
    expect(unit).toContain(
      '\nExecStart="/usr/bin/node" "--max-semi-space-size=2" "--v8-pool-size=1" "--expose-gc" "/usr/local/lib/node_modules/hearthd/bin/hearthd.js" "start"\n',
    );
    expect(unit).toContain('\nUser=hearthd\n');
    expect(computer.ran.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'getent passwd',
      'useradd --system',
      'systemctl daemon-reload',
      'systemctl enable',
      'systemctl restart',
    ]);
  });

  it('uses the Node of the archive, wherever the one that runs lies', () => {
    const computer = fakeComputer({
      node: '/home/me/.nvm/node',
      files: { '/opt/hearthd/runtime/node': '' },
    });
    serviceManager(computer).install();
    expect(computer.files.get(UNIT)).toContain(
      '\nExecStart="/opt/hearthd/runtime/node" "--max-semi-space-size=2" "--v8-pool-size=1" "--expose-gc" "/opt/hearthd/bin/hearthd.js" "start"\n',
    );
    expect(computer.ran.some((line) => line.startsWith('useradd'))).toBe(false);
  });

  it('is refused where it could not run, and nothing changes', () => {
    for (const [options, code, words] of [
      [{ isRoot: false }, 'not_root', 'sudo hearthd service install'],
      [{ node: '/home/me/.nvm/node' }, 'hidden_program', '/home/me/.nvm/node'],
      [{ program: '/root/hearthd' }, 'hidden_program', '/root/hearthd'],
      [{ program: '/usr/lib/hearthd' }, 'own_service', 'systemctl enable --now hearthd'],
    ] as const) {
      const computer = fakeComputer(options);
      const error = refusal(() => serviceManager(computer).install());
      expect(error).toMatchObject({ exitCode: EXIT.refused, code });
      expect(error.message).toContain(words);
      expect(computer.files.has(UNIT)).toBe(false);
      expect(computer.ran).toEqual([]);
    }
  });

  it('reports the reason of systemd when it does not start', () => {
    const computer = fakeComputer();
    computer.answers.set('systemctl restart', { status: 1, err: 'Job failed.' });
    const error = refusal(() => serviceManager(computer).install());
    expect(error.exitCode).toBe(EXIT.failed);
    expect(error.message).toBe('The service does not start. See journalctl -u hearthd: Job failed.');
  });

  it('is removed, and its data is not', () => {
    const computer = fakeComputer({ files: { [UNIT]: '', '/var/lib/hearthd/relay.db': '' } });
    serviceManager(computer).uninstall();
    expect(computer.ran).toEqual(['systemctl disable --now hearthd.service', 'systemctl daemon-reload']);
    expect(computer.files.has(UNIT)).toBe(false);
    expect(computer.files.has('/var/lib/hearthd/relay.db')).toBe(true);
    expect(refusal(() => serviceManager(computer).uninstall()).exitCode).toBe(EXIT.notFound);
  });

  it('of the Debian package is left to apt', () => {
    const computer = fakeComputer({ files: { '/usr/lib/systemd/system/hearthd.service': '' } });
    expect(refusal(() => serviceManager(computer).uninstall()).message).toContain('sudo apt remove hearthd');
    expect(serviceManager(computer).status().file).toBe('/usr/lib/systemd/system/hearthd.service');
  });

  it('shows whether it is enabled and running', () => {
    const computer = fakeComputer({ files: { [UNIT]: '' } });
    computer.answers.set('systemctl is-active', { status: 3 });
    expect(serviceManager(computer).status()).toEqual({
      manager: 'systemd',
      file: UNIT,
      isEnabled: true,
      isRunning: false,
    });
  });
});

describe('a service of launchd', () => {
  it('runs as the user who installs it, and paths with special characters stay whole', () => {
    const computer = fakeComputer({ platform: 'darwin', program: '/opt/a & b', sudoUser: 'ada' });
    computer.answers.set('launchctl print', { status: 113 });
    computer.answers.set('dscl . -read', { out: 'NFSHomeDirectory: /Volumes/Ada & Co' });
    serviceManager(computer).install();
    const plist = computer.files.get(PLIST);
    for (const key of ['StandardOutPath', 'StandardErrorPath'])
      expect(plist).toContain(`<key>${key}</key><string>/Volumes/Ada &amp; Co/Library/Logs/hearthd.log</string>`);
    expect(plist).not.toContain('{{');
    expect(computer.ran).toContain(`dscl . -read ${['', 'Users', 'ada'].join('/')} NFSHomeDirectory`);
    expect(plist).toContain('<string>/opt/a &amp; b/bin/hearthd.js</string><string>start</string>');
    expect(plist).toContain('<key>UserName</key><string>ada</string>');
    expect(computer.ran.at(-1)).toBe(`launchctl bootstrap system ${PLIST}`);
  });

  it('is refused if the home folder of the user, and so the place of the log, is not known', () => {
    const computer = fakeComputer({ platform: 'darwin', sudoUser: 'ada' });
    expect(refusal(() => serviceManager(computer).install()).message).toContain('The home folder of ada');
    expect(computer.files.has(PLIST)).toBe(false);
  });

  it('is refused without sudo, and removed as it was installed', () => {
    const computer = fakeComputer({ platform: 'darwin' });
    expect(refusal(() => serviceManager(computer).install()).code).toBe('no_user');
    computer.files.set(PLIST, '');
    serviceManager(computer).uninstall();
    expect(computer.ran).toContain('launchctl bootout system/hearthd');
    expect(computer.files.has(PLIST)).toBe(false);
  });
});

describe('a computer with neither', () => {
  it('is refused in a sentence', () => {
    expect(refusal(() => serviceManager(fakeComputer({ platform: 'freebsd' }))).code).toBe('no_service_manager');
  });
});
