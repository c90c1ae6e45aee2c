import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../../src/cli/api-client.ts';
import { quote, toJsonLine, toText } from '../demo/announce.ts';
import { isBuilt, SOURCES, startBuild } from '../demo/build.ts';
import { parseOptions } from '../demo/options.ts';
import { findInterface, publish } from '../demo/publish.ts';
import { E2eRelay } from '../support/e2e-relay.ts';
import { FakeMatterBridges } from '../support/fake-matter-bridges.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { TYPESCRIPT } from '../support/typescript-process.ts';

const ready = {
  url: 'http://127.0.0.1:5656',
  dataDir: '/tmp/data',
  demoHome: {
    accessories: [
      { name: 'Lamp', deviceId: 'AA:BB:CC:DD:EE:FF', port: 1, setupCode: '031-45-154', room: 'Hall', children: [] },
    ] as never,
    stop: async () => {},
  },
  furnished: {
    token: 'hc_x',
    lampPath: ["rob's_home_0001", 'hall_0002', 'lamp_0003'] as const,
    people: { email: 'demo@example.org', password: 'secret', sharePath: '/s/hash' },
  },
  codes: [{ kind: 'homekit', code: '846-15-932', qrCode: 'X-HM://0023ISYWY7HMS' }] as const,
};

describe('the demo', () => {
  it('prints in one line of JSON what a program needs, and nothing more', () => {
    const line = toJsonLine(ready);
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toEqual({
      url: 'http://127.0.0.1:5656',
      token: 'hc_x',
      email: 'demo@example.org',
      password: 'secret',
      shareUrl: 'http://127.0.0.1:5656/s/hash',
      dataDir: '/tmp/data',
      accessories: [{ name: 'Lamp', deviceId: 'AA:BB:CC:DD:EE:FF', port: 1, setupCode: '031-45-154' }],
      published: [{ kind: 'homekit', code: '846-15-932', qrCode: 'X-HM://0023ISYWY7HMS' }],
    });
  });

  it('prints curl lines that a shell reads as meant', async () => {
    const lines = (await toText(ready)).split('\n').filter((line) => line.trimStart().startsWith('curl'));
    expect(lines).toHaveLength(4);
    const words = execFileSync('sh', ['-c', `printf '%s\\n' ${lines[1]?.trimStart()}`], { encoding: 'utf8' });
    expect(words.trimEnd().split('\n')).toContain(
      JSON.stringify({ "rob's_home_0001": { hall_0002: { lamp_0003: { on: true } } } }),
    );
    expect(quote("it's")).toBe(`'it'\\''s'`);
  });

  it('prints the codes of what is published, and a QR code where a phone can reach it', async () => {
    expect(await toText(ready)).toContain('Apple Home: add an accessory with the code 846-15-932');
    expect(await toText(ready)).not.toContain('▄');
    const publishOn = { name: 'eth0', addresses: ['192.0.2.7'] };
    expect(await toText({ ...ready, publishOn })).toMatch(/Published on eth0\n.*846-15-932\n +[█▀▄ ]+\n/);
    expect(() => findInterface('no such interface')).toThrow('--publish takes an interface');
  });

  it('publishes over HomeKit and over Matter, prints both codes, and keeps them', async () => {
    const matter = new FakeMatterBridges();
    await using relay = await E2eRelay.start({ overrides: { openMatterBridge: matter.open } });
    const api = new ApiClient(relay.directory.path);
    const codes = await publish(api);
    const manualCode = `manual ${matter.last.deps.identity.discriminator}`;
    expect(codes).toEqual([
      {
        ...{ kind: 'homekit', code: expect.stringMatching(/^\d{3}-\d{2}-\d{3}$/) },
        qrCode: expect.stringMatching(/^X-HM:/),
      },
      { kind: 'matter', code: manualCode, qrCode: expect.stringMatching(/^MT:/) },
    ]);
    expect(await publish(api)).toEqual(codes);

    const publishOn = { name: 'eth0', addresses: ['192.0.2.7'] };
    const text = await toText({ ...ready, codes, publishOn });
    expect(text).toContain(`Apple Home: add an accessory with the code ${codes[0]?.code}\n`);
    expect(text).toContain(`Alexa, Google Home, SmartThings (Matter): add an accessory with the code ${manualCode}\n`);
    expect(text.match(/code .*\n +[█▀▄ ]+\n/g)).toHaveLength(2);
    expect(JSON.parse(toJsonLine({ ...ready, codes })).published).toEqual(codes);
  });

  it('refuses arguments that it does not know', () => {
    expect(parseOptions(['--json', '--port', '6000'])).toMatchObject({ json: true, port: 6000, dataDir: undefined });
    expect(() => parseOptions(['--port', '0'])).toThrow('1 to 65535');
    expect(() => parseOptions(['--prot'])).toThrow("'--prot'");
  });
});

describe('the demo’s build', () => {
  const HOUR_S = 3600;
  const BUILT_S = 1_700_000_000;

  /** A repository whose every source is an hour older than its build. */
  function createRepository() {
    const directory = createTempDirectory('demo');
    mkdirSync(directory.file('src/deep'), { recursive: true });
    mkdirSync(directory.file('dist'));
    mkdirSync(directory.file('test'));
    const files = SOURCES.filter((source) => source !== 'src');
    for (const file of [...files, 'src/deep/a.ts', 'src/deep/b.ts', 'dist/built'])
      writeFileSync(directory.file(file), '');
    for (const path of [...files, 'src/deep/a.ts', 'src/deep/b.ts', 'src/deep', 'src']) {
      utimesSync(directory.file(path), BUILT_S - HOUR_S, BUILT_S - HOUR_S);
    }
    utimesSync(directory.file('dist/built'), BUILT_S, BUILT_S);
    return directory;
  }

  it('is left alone while no source is newer than it', () => {
    using repository = createRepository();
    expect(isBuilt(repository.path)).toBe(true);
  });

  it.each<[what: string, change: (root: string) => void]>([
    ['a source is newer', (root) => writeFileSync(join(root, 'src/deep/a.ts'), 'changed')],
    ['the lock file is newer', (root) => writeFileSync(join(root, 'package-lock.json'), '{}')],
    ['a source is gone', (root) => rmSync(join(root, 'src/deep/b.ts'))],
    ['the last build did not end', (root) => rmSync(join(root, 'dist/built'))],
    ['there is none', (root) => rmSync(join(root, 'dist'), { recursive: true })],
  ])('is made where %s', (_what, change) => {
    using repository = createRepository();
    change(repository.path);
    expect(isBuilt(repository.path)).toBe(false);
  });

  it('prints to stderr alone, so that stdout holds nothing but the line of JSON', () => {
    const module = resolve(import.meta.dirname, '../demo/build.ts');
    const script = `import { startBuild } from ${JSON.stringify(module)};
      process.exitCode = (await startBuild(['sh', '-c', 'echo sizes']).done) ? 0 : 1;`;
    const flags = [...TYPESCRIPT, '--input-type=module', '--eval', script];
    const { stdout, stderr, status } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
    expect([stdout, stderr, status]).toEqual(['', 'sizes\n', 0]);
  });

  it('ends with all that it started', async () => {
    using directory = createTempDirectory('demo');
    const pidFile = directory.file('pid');
    const { done, stop } = startBuild(['sh', '-c', `sleep 600 & echo $! >${pidFile}; wait`]);
    const readPid = (): number => {
      try {
        return Number(readFileSync(pidFile, 'utf8'));
      } catch {
        return 0;
      }
    };
    await expect.poll(readPid).toBeGreaterThan(0);
    stop();
    expect(await done).toBe(false);
    await expect.poll(() => isRunning(readPid())).toBe(false);
  });

  it('that fails is distinguished from one that succeeds', async () => {
    expect(await startBuild(['false']).done).toBe(false);
    expect(await startBuild(['true']).done).toBe(true);
    expect(await startBuild([join('/', 'no-such-program')]).done).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
