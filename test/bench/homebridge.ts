/**
 * Homebridge publishing lamps that answer at once, as the baseline for what a bridge costs. It is fetched from the
 * registry into the cache of `node_modules` when it is measured for the first time.
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

const VERSION = '1.11.4';
const FOLDER = resolve(import.meta.dirname, `../../node_modules/.cache/homebridge-${VERSION}`);
/** HAP's own limit is 150 with the bridge. */
const MAX_LAMPS = 149;
const PIN = '846-15-932';

/** Reports writes, and sets a lamp when asked. It runs inside Homebridge. */
const PLUGIN = `
module.exports = (api) => {
  const { Service, Characteristic, uuid } = api.hap;
  const lamps = [];
  const now = () => performance.timeOrigin + performance.now();
  class Lamps {
    constructor(log, config) {
      api.on('didFinishLaunching', () => {
        for (let n = 0; n < config.count; n += 1) {
          const accessory = new api.platformAccessory('Lamp ' + n, uuid.generate('bench-lamp-' + n));
          const lamp = accessory.addService(Service.Lightbulb, 'Lamp ' + n);
          lamp.getCharacteristic(Characteristic.On);
          lamp.getCharacteristic(Characteristic.Brightness)
            .onSet((value) => process.send({ type: 'write', value, at: now() }));
          lamps.push(lamp);
          api.registerPlatformAccessories('homebridge-bench', 'BenchLamps', [accessory]);
        }
        process.send({ type: 'started' });
      });
      process.on('message', ({ value }) => {
        lamps[0].updateCharacteristic(Characteristic.Brightness, value);
        process.send({ type: 'set', at: now() });
      });
    }
    configureAccessory() {}
  }
  api.registerPlatform('homebridge-bench', 'BenchLamps', Lamps);
};
`;

export interface HomebridgeReport {
  readonly type: 'started' | 'write' | 'set';
  readonly at: number;
}

/** As many Homebridge processes as so many lamps need. */
export class Homebridge {
  readonly setupCode = PIN;
  readonly port: number;
  readonly deviceId: string;
  readonly #children: readonly ChildProcess[];
  readonly #directories: readonly TempDirectory[];

  private constructor(bridge: Bridge, children: readonly ChildProcess[], directories: readonly TempDirectory[]) {
    this.port = bridge.port;
    this.deviceId = bridge.username;
    this.#children = children;
    this.#directories = directories;
  }

  static async start(lamps: number): Promise<Homebridge> {
    install();
    const children: ChildProcess[] = [];
    const directories: TempDirectory[] = [];
    const bridges: Bridge[] = [];
    for (let left = lamps; left > 0; left -= MAX_LAMPS) {
      const directory = createTempDirectory('homebridge');
      const bridge = await writeConfig(directory.path, bridges.length, Math.min(left, MAX_LAMPS));
      const child = run(directory.path);
      await started(child);
      children.push(child);
      directories.push(directory);
      bridges.push(bridge);
    }
    return new Homebridge(bridges[0] as Bridge, children, directories);
  }

  onReport(listen: (report: HomebridgeReport) => void): void {
    this.#children[0]?.on('message', listen as (report: unknown) => void);
  }

  /** Changes the first lamp's brightness from the plugin's side. */
  set(value: number): void {
    this.#children[0]?.send({ value });
  }

  /** Resident memory in MB of all of them. Linux only. */
  residentMb(): number {
    const each = this.#children.map(({ pid }) => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
    });
    return each.reduce((sum, one) => sum + one, 0);
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.#children.map(async (child) => {
        const gone = once(child, 'exit');
        child.kill('SIGKILL');
        await gone;
      }),
    );
    for (const directory of this.#directories) directory.remove();
  }
}

/** Homebridge sends messages of its own too. */
async function started(child: ChildProcess): Promise<void> {
  for await (const [report] of on(child, 'message')) {
    if ((report as HomebridgeReport).type === 'started') return;
  }
}

interface Bridge {
  readonly username: string;
  readonly port: number;
}

function install(): void {
  if (existsSync(join(FOLDER, 'node_modules/homebridge'))) return;
  mkdirSync(join(FOLDER, 'plugin'), { recursive: true });
  const args = ['i', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund', `homebridge@${VERSION}`];
  execFileSync('npm', args, { stdio: 'ignore' });
}

async function writeConfig(path: string, index: number, count: number): Promise<Bridge> {
  const bridge = { username: `0E:BE:7C:11:20:0${index}`, port: await freePort() };
  const plugin = join(path, 'homebridge-bench');
  mkdirSync(plugin);
  const manifest = { name: 'homebridge-bench', version: '1.0.0', main: 'index.js', keywords: ['homebridge-plugin'] };
  const engines = { homebridge: '>=1.0.0', node: '>=18' };
  writeFileSync(join(plugin, 'package.json'), JSON.stringify({ ...manifest, engines }));
  writeFileSync(join(plugin, 'index.js'), PLUGIN);
  const config = {
    bridge: { name: `Bench ${index}`, ...bridge, pin: PIN, bind: ['lo'], advertiser: 'ciao' },
    platforms: [{ platform: 'BenchLamps', name: 'Lamps', count }],
  };
  writeFileSync(join(path, 'config.json'), JSON.stringify(config));
  return bridge;
}

function run(path: string): ChildProcess {
  const program = join(FOLDER, 'node_modules/homebridge/bin/homebridge');
  const args = ['-U', path, '-P', join(path, 'homebridge-bench'), '--strict-plugin-resolution', '-Q', '-C'];
  return fork(program, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] });
}
