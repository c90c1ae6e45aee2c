/** SQLite's native module, which fits one version of Node's interface (its ABI) and one kind of processor. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface NativeModule {
  /** The line of Node, such as 20. */
  readonly line: number;
  readonly abi: string;
  readonly platform: string;
  readonly arch: string;
  readonly file: string;
}
export type NativeModules = readonly NativeModule[];

/** What a version of Node brings as a package of npm: the program, its licence and its headers. */
export interface Engine {
  readonly program: string;
  readonly licence: string;
  readonly headers: string;
}

const MODULE = 'build/Release/better_sqlite3.node';
const LINE_OF_THIS = Number(process.versions.node.split('.')[0]);
/** `e_machine` of ELF. */
const MACHINES: Readonly<Record<number, string>> = { 62: 'x64', 183: 'arm64', 40: 'arm' };
const MACHINE_AT = 18;

/** The module that `npm ci` fetched or compiled, for the Node that runs this. */
export function ownModule(root: string): NativeModule {
  const file = join(root, 'node_modules/better-sqlite3', MODULE);
  if (!existsSync(file)) throw new Error('There is no native module. Run npm ci first.');
  const { platform, arch } = process;
  return checked({ line: LINE_OF_THIS, abi: process.versions.modules, platform, arch, file });
}

/** The modules for these lines of Node. Another one than this is compiled, once for each cache. */
export function nativeModules(root: string, cache: string, lines: readonly number[]): NativeModules {
  return [...new Set(lines)]
    .sort((one, other) => one - other)
    .map((line) => (line === LINE_OF_THIS ? ownModule(root) : compiled(root, cache, line)));
}

/** A Node of this line, from the registry of npm unless the cache has it. */
export function engineOf(cache: string, line: number): Engine {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(cache, `node-${line}`);
  const engine = join(folder, 'node_modules', name);
  if (!existsSync(join(engine, 'bin/node'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
    const install = ['install', '--silent', '--ignore-scripts', '--prefix', folder, `${name}@${line}`];
    execFileSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return { program: join(engine, 'bin/node'), licence: join(engine, 'LICENSE'), headers: engine };
}

function compiled(root: string, cache: string, line: number): NativeModule {
  const { program, headers } = engineOf(cache, line);
  const abi = execFileSync(program, ['-p', 'process.versions.modules'], { encoding: 'utf8' }).trim();
  const { platform, arch } = process;
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/better-sqlite3/package.json'), 'utf8')) as {
    readonly version: string;
  };
  const folder = join(cache, `better-sqlite3-${version}-node-v${abi}`);
  const module: NativeModule = { line, abi, platform, arch, file: join(folder, MODULE) };
  if (!existsSync(join(folder, 'compiled'))) {
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(root, 'node_modules/better-sqlite3'), folder, { recursive: true });
    rmSync(join(folder, 'build'), { recursive: true, force: true });
    const gyp = join(npmFolder(), 'node_modules/node-gyp/bin/node-gyp.js');
    const env = { ...process.env, PATH: `${dirname(program)}:${process.env.PATH}` };
    execFileSync(program, [gyp, 'rebuild', '--release', `--nodedir=${headers}`], { cwd: folder, env, stdio: 'ignore' });
    writeFileSync(join(folder, 'compiled'), '');
  }
  return checked(module);
}

const npmFolder = () => join(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim(), 'npm');

/** @throws a module for another processor: it would end the daemon at its first start */
function checked(module: NativeModule): NativeModule {
  if (module.platform !== 'linux') return module;
  const machine = MACHINES[readFileSync(module.file).readUInt16LE(MACHINE_AT)];
  if (machine === module.arch) return module;
  throw new Error(`${module.file} is for ${machine ?? 'another processor'}, and not for ${module.arch}.`);
}
