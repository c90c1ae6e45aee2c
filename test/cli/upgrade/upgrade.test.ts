import { describe, expect, it } from 'vitest';
import { CliError, EXIT } from '../../../src/cli/exit-codes.ts';
import { goBack, type UpgradeDeps, upgrade } from '../../../src/cli/upgrade/upgrade.ts';
import { type FakeComputer, fakeComputer } from '../service/fake-computer.ts';

const BEGUN = '/var/cache/hearthd/upgrade.json';
const ARCHIVE = '/tmp/hearthd-0.2.0-linux-x64.tar.xz';
const BACKUP = 'relay-manual-20300131T120000Z.db';
const PACKAGE = (version: string) => JSON.stringify({ version });

interface Upgrade extends UpgradeDeps {
  readonly computer: FakeComputer;
  readonly sentences: string[];
  /** The version that answers once the service has been restarted; `null` if none does. */
  becomes: string | null;
}

/** The program from the archive, in version 0.1.0, with moves that really move it. */
function archiveInstall(options: { readonly isRoot?: boolean; readonly program?: string } = {}): Upgrade {
  const { program = '/opt/hearthd' } = options;
  const computer = fakeComputer({
    ...options,
    files: {
      [program]: '',
      [`${program}/package.json`]: PACKAGE('0.1.0'),
      '/opt/hearthd/runtime/node': '',
      [ARCHIVE]: '',
    },
  });
  let running: string | null = '0.1.0';
  let now = 0;
  const sentences: string[] = [];
  const deps: Upgrade = {
    computer,
    sentences,
    becomes: '0.2.0',
    dataDir: '/var/lib/hearthd',
    makeBackup: async () => BACKUP,
    runningVersion: async () => running,
    now: () => now,
    wait: async (ms) => {
      now += ms;
    },
    report: (sentence) => void sentences.push(sentence),
  };
  computer.onRun = (line) => {
    const [, from = '', to = ''] = /^mv -T (\S+) (\S+)$/.exec(line) ?? [];
    if (from !== '') move(computer.files, from, to);
    if (line.startsWith('tar ')) {
      computer.files.set('/opt/.hearthd.next', '');
      computer.files.set('/opt/.hearthd.next/package.json', PACKAGE('0.2.0'));
      computer.files.set('/opt/.hearthd.next/runtime/node', '');
    }
    if (line !== 'systemctl restart hearthd.service') return;
    const installed = versionIn(computer, program);
    running = installed === '0.1.0' ? installed : deps.becomes;
  };
  return deps;
}

function move(files: Map<string, string>, from: string, to: string): void {
  for (const [path, text] of [...files].filter(([path]) => path === from || path.startsWith(`${from}/`))) {
    files.delete(path);
    files.set(to + path.slice(from.length), text);
  }
}

const versionIn = ({ files }: FakeComputer, program = '/opt/hearthd') =>
  (JSON.parse(files.get(`${program}/package.json`) ?? '{}') as { readonly version?: string }).version;

async function failure(act: Promise<unknown>): Promise<CliError> {
  const error = await act.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof CliError) return error;
  throw new Error(`It did not fail as a command does: ${String(error)}`);
}

describe('an upgrade of an archive', () => {
  it('makes a backup, exchanges the program and is done when the new version answers', async () => {
    const deps = archiveInstall();
    expect(await upgrade(deps, ARCHIVE)).toEqual({ from: '0.1.0', to: '0.2.0', backup: BACKUP });
    expect(versionIn(deps.computer)).toBe('0.2.0');
    expect(deps.computer.files.has(BEGUN)).toBe(false);
    expect(deps.computer.ran.at(-1)).toBe('rm -rf /opt/.hearthd.next /opt/.hearthd.previous /opt/.hearthd.failed');
    expect(deps.sentences[0]).toBe('Making a backup');
  });

  it('goes back by itself when the new version does not become ready', async () => {
    const deps = archiveInstall();
    deps.becomes = null;
    const error = await failure(upgrade(deps, ARCHIVE));
    expect(error).toMatchObject({ exitCode: EXIT.failed, code: 'went_back' });
    expect(error.message).toContain('Version 0.1.0 runs again. The upgrade failed: Version 0.2.0 was not ready');
    expect(versionIn(deps.computer)).toBe('0.1.0');
    expect(deps.computer.files.has(BEGUN)).toBe(false);
  });

  it('goes back by itself if the new program does not get to its place', async () => {
    const deps = archiveInstall();
    const { computer } = deps;
    const { onRun } = computer;
    const exchange = 'mv -T /opt/.hearthd.next /opt/hearthd';
    computer.answers.set(exchange, { status: 1, err: 'No room.' });
    computer.onRun = (line) => line === exchange || onRun(line);
    const error = await failure(upgrade(deps, ARCHIVE));
    expect(error.message).toBe('Version 0.1.0 runs again. The upgrade failed: mv failed: No room.');
    expect(versionIn(computer)).toBe('0.1.0');
  });

  it('names the backup and the next command if the old version does not start either', async () => {
    const deps = archiveInstall();
    const none = { ...deps, runningVersion: async () => null };
    const error = await failure(upgrade(none, ARCHIVE));
    expect(error.code).toBe('not_back');
    expect(error.message).toContain(BACKUP);
    expect(error.message).toContain('sudo hearthd upgrade --back');
    expect(deps.computer.files.has(BEGUN)).toBe(true);
  });

  it('puts back the database as it was, as its user, if the new version had changed it', async () => {
    const deps = archiveInstall();
    deps.becomes = null;
    const folder = '/var/lib/hearthd/backups';
    const copies = [`${folder}/relay-schema-12.db`, `${folder}/relay-schema-9.db`].join('\n');
    deps.computer.answers.set(`find ${folder}`, { out: copies });
    await failure(upgrade(deps, ARCHIVE));
    const { ran } = deps.computer;
    const stopped = ran.indexOf('systemctl stop hearthd.service');
    const asUser = ran.filter((line) => line.startsWith('runuser'));
    expect(asUser).toEqual([
      `runuser -u hearthd -- cp ${folder}/relay-schema-9.db /var/lib/hearthd/relay.db.back`,
      'runuser -u hearthd -- rm -f /var/lib/hearthd/relay.db-wal /var/lib/hearthd/relay.db-shm',
      'runuser -u hearthd -- mv /var/lib/hearthd/relay.db.back /var/lib/hearthd/relay.db',
    ]);
    expect(ran.indexOf(asUser[0] ?? '')).toBeGreaterThan(stopped);
    expect(ran.lastIndexOf('systemctl restart hearthd.service')).toBeGreaterThan(ran.indexOf(asUser[2] ?? ''));
  });

  it.each([
    ['cut short', 'tar -xJf', 'tar failed: xz: (stdin): Unexpected end of input'],
    [
      'for another processor',
      '/opt/.hearthd.next/runtime/node',
      `The program in ${ARCHIVE} does not run here: it is for another processor, or damaged. This computer needs linux-${process.arch}. Nothing changed.`,
    ],
  ])('changes nothing, and leaves nothing, if the file is %s', async (_what, program, sentence) => {
    const deps = archiveInstall();
    deps.computer.answers.set(program, {
      status: 1,
      err: 'xz: (stdin): Unexpected end of input\ntar: Child returned status 1\ntar: Error is not recoverable: exiting now',
    });
    const error = await failure(upgrade(deps, ARCHIVE));
    expect(error.message).toBe(sentence);
    expect(deps.computer.ran.at(-1)).toBe('rm -rf /opt/.hearthd.next /opt/.hearthd.previous /opt/.hearthd.failed');
    expect(versionIn(deps.computer)).toBe('0.1.0');
    expect(deps.computer.files.has(BEGUN)).toBe(false);
    expect(deps.computer.ran.some((line) => line.startsWith('systemctl'))).toBe(false);
  });

  it('needs a backup first', async () => {
    const deps = archiveInstall();
    const without = {
      ...deps,
      makeBackup: () => Promise.reject(new CliError(EXIT.notRunning, 'not_running', 'Start it.')),
    };
    expect((await failure(upgrade(without, ARCHIVE))).code).toBe('not_running');
    expect(deps.computer.ran).toEqual([]);
  });

  it('is refused in a sentence where it can’t be done', async () => {
    const other = archiveInstall();
    other.computer.files.delete('/opt/hearthd/runtime/node');
    expect((await failure(upgrade(other, ARCHIVE))).code).toBe('checkout');
    const noSystemd = archiveInstall();
    noSystemd.computer.files.delete('/run/systemd/system');
    expect((await failure(upgrade(noSystemd, ARCHIVE))).code).toBe('no_systemd');
    expect((await failure(upgrade(archiveInstall({ isRoot: false }), ARCHIVE))).code).toBe('not_root');
    expect((await failure(upgrade(archiveInstall(), undefined))).exitCode).toBe(EXIT.usage);
    expect((await failure(upgrade(archiveInstall(), '/tmp/hearthd.deb'))).exitCode).toBe(EXIT.usage);
    expect((await failure(upgrade(archiveInstall(), '/tmp/none.tar.xz'))).code).toBe('no_file');
    expect((await failure(goBack(archiveInstall()))).code).toBe('not_interrupted');
  });
});

describe('an upgrade that is cut off', () => {
  /** Every program that an upgrade runs once it has begun to change something. */
  async function linesOfAnUpgrade(): Promise<readonly string[]> {
    const { computer, ...deps } = archiveInstall();
    await upgrade({ ...deps, computer }, ARCHIVE);
    return computer.ran;
  }

  it('before and after each of its steps is taken back, and can then be tried again', async () => {
    const lines = await linesOfAnUpgrade();
    for (const [index] of lines.entries()) {
      const deps = archiveInstall();
      const { onRun } = deps.computer;
      let count = 0;
      // Nothing of it goes on after that: not even its own way back.
      deps.computer.onRun = (line) => {
        if (count++ >= index) throw new Error('cut off');
        onRun(line);
      };
      await upgrade(deps, ARCHIVE).catch(() => {});
      deps.computer.onRun = onRun;
      if (deps.computer.files.has(BEGUN)) {
        expect((await failure(upgrade(deps, ARCHIVE))).code).toBe('interrupted');
        if (versionIn(deps.computer) === undefined)
          expect(deps.sentences.join()).toContain('sudo mv -T /opt/.hearthd.previous');
        // What the sentence names, if the program itself is missing.
        if (versionIn(deps.computer) === undefined) move(deps.computer.files, '/opt/.hearthd.previous', '/opt/hearthd');
        expect(await goBack(deps)).toBe('0.1.0');
        expect(versionIn(deps.computer)).toBe('0.1.0');
      }
      expect(['0.1.0', '0.2.0']).toContain(versionIn(deps.computer));
      if (versionIn(deps.computer) === '0.1.0') expect((await upgrade(deps, ARCHIVE)).to).toBe('0.2.0');
    }
  });
});

describe('an upgrade that a power cut ended', () => {
  it('is taken back also if its file is empty', async () => {
    const deps = archiveInstall();
    deps.computer.files.set(BEGUN, '');
    expect((await failure(upgrade(deps, ARCHIVE))).code).toBe('interrupted');
    expect(await goBack(deps)).toBe('0.1.0');
    expect(deps.computer.files.has(BEGUN)).toBe(false);
  });
});

describe('an upgrade by npm', () => {
  it('names why npm failed, and not where its log is', async () => {
    const deps = archiveInstall({ program: '/usr/local/lib/node_modules/hearthd' });
    const err =
      'npm error code ENOSPC\nnpm error no space left\nnpm error\nnpm error A complete log of this run can be found';
    deps.computer.answers.set('npm install', { status: 228, err });
    const { message } = await failure(upgrade(deps, 'hearthd@0.2.0'));
    expect(message).toBe('Version 0.1.0 runs again. The upgrade failed: npm failed: npm error no space left');
  });

  it('uses the folder that the program was installed in', async () => {
    const program = '/usr/local/lib/node_modules/hearthd';
    const deps = archiveInstall({ program });
    const { onRun } = deps.computer;
    deps.computer.onRun = (line) => {
      if (line.startsWith('npm ')) deps.computer.files.set(`${program}/package.json`, PACKAGE('0.2.0'));
      onRun(line);
    };
    expect((await upgrade(deps, 'hearthd@0.2.0')).to).toBe('0.2.0');
    expect(deps.computer.ran).toContain('npm install --global --prefix /usr/local hearthd@0.2.0');
    expect(deps.computer.ran).toContain(`cp -a ${program} /usr/local/lib/node_modules/.hearthd.previous`);
  });
});

describe('an upgrade of the Debian package', () => {
  it.each([
    [
      'for another processor',
      { 'dpkg-deb --field': { out: 'armhf' }, 'dpkg --print-architecture': { out: 'amd64' } },
      '/tmp/hearthd_0.2.0_armhf.deb is for armhf. This computer needs one for amd64. Nothing changed.',
    ],
    [
      'cut short',
      { 'dpkg-deb --contents': { status: 2, err: 'tar: Unexpected EOF in archive' } },
      'dpkg-deb failed: tar: Unexpected EOF in archive',
    ],
  ])('changes nothing if the file is %s', async (_what, answers, sentence) => {
    const deps = archiveInstall({ program: '/usr/lib/hearthd' });
    const file = '/tmp/hearthd_0.2.0_armhf.deb';
    deps.computer.files.set(file, '');
    for (const [line, answer] of Object.entries(answers)) deps.computer.answers.set(line, answer);
    expect((await failure(upgrade(deps, file))).message).toBe(sentence);
    expect(deps.computer.files.has(BEGUN)).toBe(false);
    expect(deps.computer.ran.filter((line) => /^(?:apt-get|systemctl)/.test(line))).toEqual([]);
  });

  it('keeps the installed files as a package, and installs that again to go back', async () => {
    const program = '/usr/lib/hearthd';
    const deps = archiveInstall({ program });
    const { computer } = deps;
    const file = '/tmp/hearthd_0.2.0_amd64.deb';
    computer.files.set(file, '');
    computer.files.set('/usr/bin/hearthd', '');
    // dpkg lists what it leaves out too.
    computer.answers.set('dpkg-query --listfiles', {
      out: `/usr/lib\n${program}\n${program}/package.json\n/usr/bin/hearthd\n/usr/share/man/man1/hearthd.1.gz`,
    });
    computer.answers.set('dpkg-query --control-list', { out: 'postinst' });
    computer.answers.set('dpkg-query --control-path', { out: '/var/lib/dpkg/info/hearthd.postinst' });
    computer.answers.set('dpkg-query --status', {
      out: 'Package: hearthd\nStatus: install ok installed\nVersion: 0.1.0',
    });
    computer.answers.set(`apt-get install --yes --quiet --allow-downgrades --reinstall ${file}`, {
      status: 100,
      err: 'No room.',
    });
    const error = await failure(upgrade(deps, file));
    expect(error.message).toBe('Version 0.1.0 runs again. The upgrade failed: apt-get failed: No room.');
    const kept = '/var/cache/hearthd/previous';
    expect(computer.ran).toContain(`cp -a --parents -t ${kept} ${program}/package.json /usr/bin/hearthd`);
    expect(computer.ran).toContain(`cp /var/lib/dpkg/info/hearthd.postinst ${kept}/DEBIAN/postinst`);
    expect(computer.files.get(`${kept}/DEBIAN/control`)).toBe('Package: hearthd\nVersion: 0.1.0\n');
    const back = computer.ran.indexOf(`apt-get install --yes --quiet --allow-downgrades --reinstall ${kept}.deb`);
    expect(computer.ran[back - 1]).toBe('dpkg --configure -a');
  });
});
