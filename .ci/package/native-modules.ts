/** SQLite's native module, which fits one version of Node's interface (its ABI) and one kind of processor. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { architecture, toolFor } from './architectures.ts';

export interface NativeModule {
  /** The line of Node, such as 20. */
  readonly line: number;
  readonly abi: string;
  readonly platform: string;
  readonly arch: string;
  readonly file: string;
}
export type NativeModules = readonly NativeModule[];

/** What a version of Node brings, as a package of npm or an archive of nodejs.org: the program, its licence, its headers. */
export interface Engine {
  readonly line: number;
  readonly program: string;
  readonly licence: string;
  readonly headers: string;
}

const MODULE = 'build/Release/better_sqlite3.node';
const LINE_OF_THIS = Number(process.versions.node.split('.')[0]);
/** Where ELF has `e_machine`. */
const MACHINE_AT = 18;

/** The module that `npm ci` fetched or compiled, for the Node that runs this. */
export function ownModule(root: string): NativeModule {
  const file = join(root, 'node_modules/better-sqlite3', MODULE);
  if (!existsSync(file)) throw new Error('There is no native module. Run npm ci first.');
  const { platform, arch } = process;
  return checked({ line: LINE_OF_THIS, abi: process.versions.modules, platform, arch, file });
}

/** The modules for these lines of Node. Another one than this is compiled, once for each cache. */
export function nativeModules(root: string, cache: string, lines: readonly number[], arch: string): NativeModules {
  const isHere = (line: number) => line === LINE_OF_THIS && arch === process.arch;
  return [...new Set(lines)]
    .sort((one, other) => one - other)
    .map((line) => (isHere(line) ? ownModule(root) : compiled(root, cache, line, arch)));
}

/** The Node that lies unpacked in this folder, for archives. @throws it is for another processor */
export function engineIn(folder: string, arch: string): Engine {
  const program = join(folder, 'bin/node');
  const version = readFileSync(join(folder, 'include/node/node_version.h'), 'utf8');
  const line = Number(/#define NODE_MAJOR_VERSION (\d+)/.exec(version)?.[1]);
  checkMachine(program, arch);
  return { line, program, licence: join(folder, 'LICENSE'), headers: folder };
}

/**
 * A Node of this line, from the registry of npm unless the cache has it.
 * @throws npm has none for this processor
 */
export function engineOf(cache: string, line: number, arch: string = process.arch): Engine {
  if (arch !== process.arch || !architecture(arch).npmHasNode)
    throw new Error(
      `There is no Node for ${arch} here. Unpack one of nodejs.org, and name its folder with --own-node.`,
    );
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(cache, `node-${line}`);
  const engine = join(folder, 'node_modules', name);
  if (!existsSync(join(engine, 'bin/node'))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
    const install = ['install', '--silent', '--ignore-scripts', '--prefix', folder, `${name}@${line}`];
    execFileSync('npm', install, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return { line, program: join(engine, 'bin/node'), licence: join(engine, 'LICENSE'), headers: engine };
}

function compiled(root: string, cache: string, line: number, arch: string): NativeModule {
  const tools = compilers(arch);
  // Its headers are the same for every processor.
  const { program, headers } = engineOf(cache, line);
  const abi = execFileSync(program, ['-p', 'process.versions.modules'], { encoding: 'utf8' }).trim();
  const { platform } = process;
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/better-sqlite3/package.json'), 'utf8')) as {
    readonly version: string;
  };
  const folder = join(cache, `better-sqlite3-${version}-node-v${abi}-${arch}`);
  const module: NativeModule = { line, abi, platform, arch, file: join(folder, MODULE) };
  if (!existsSync(join(folder, 'compiled'))) {
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(root, 'node_modules/better-sqlite3'), folder, { recursive: true });
    rmSync(join(folder, 'build'), { recursive: true, force: true });
    const gyp = join(npmFolder(), 'node_modules/node-gyp/bin/node-gyp.js');
    const env = { ...process.env, ...tools, PATH: `${dirname(program)}:${process.env.PATH}` };
    const options = ['--release', `--arch=${arch}`, `--nodedir=${headers}`];
    execFileSync(program, [gyp, 'rebuild', ...options], { cwd: folder, env, stdio: 'ignore' });
    writeFileSync(join(folder, 'compiled'), '');
  }
  return checked(module);
}

const npmFolder = () => join(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim(), 'npm');

/** The variables by which make finds the compilers for another processor. @throws they are missing */
function compilers(arch: string): Readonly<Record<string, string>> {
  if (arch === process.arch) return {};
  const [CC, CXX, AR] = ['gcc', 'g++', 'ar'].map((tool) => toolFor(arch, tool)) as [string, string, string];
  try {
    execFileSync(CXX, ['--version'], { stdio: 'ignore' });
  } catch {
    const { gnu } = architecture(arch);
    throw new Error(`There is no compiler for ${arch}. Install g++-${gnu.replace('_', '-')} first.`);
  }
  return { CC, CXX, AR };
}

/** @throws a module for another processor: it would end the daemon at its first start */
function checked(module: NativeModule): NativeModule {
  if (module.platform === 'linux') checkMachine(module.file, module.arch);
  return module;
}

function checkMachine(file: string, arch: string): void {
  if (readFileSync(file).readUInt16LE(MACHINE_AT) === architecture(arch).machine) return;
  throw new Error(`${file} is for another processor than ${arch}.`);
}
