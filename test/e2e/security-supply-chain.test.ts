/** What `npm ci` may bring in and run: read from the lock file, so that a change of it is seen in review and here. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  /** One build of several: npm takes the one that fits the computer. */
  readonly optional?: boolean;
  readonly link?: boolean;
}

type Overrides = { readonly [name: string]: string | Overrides };

interface Manifest {
  readonly overrides: Overrides;

  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

const read = (file: string): unknown => JSON.parse(readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8'));
const lock = read('package-lock.json') as { packages: Readonly<Record<string, LockedPackage>> };
const manifest = read('package.json') as Manifest;

/**
 * Folders of ours in place of packages that dependencies of the tests ask for, and which must not be on the computer.
 */
const STAND_INS = ['test/stand-ins/noble', 'test/stand-ins/scarf'];

/** All but the project itself and its own folders; the name is what stands after the last `node_modules/`. */
const packages = Object.entries(lock.packages)
  .filter(([path, { link }]) => path !== '' && !STAND_INS.includes(path) && !link)
  .map(([path, locked]) => ({ path, name: path.slice(path.lastIndexOf('node_modules/') + 13), ...locked }));

/** better-sqlite3 fetches or compiles its library; esbuild and fsevents serve the tests alone. */
const MAY_RUN_SCRIPTS = { production: ['better-sqlite3'], development: ['esbuild', 'fsevents'] };

/** A new dependency is a decision: look at what it brings along, then raise this. */
const PRODUCTION_PACKAGES = 190;

/** Argon2 for one platform each, and the colours that a terminal may have. */
const MAY_BE_MISSING = /^(@node-rs\/argon2-|@colors\/colors$)/;

function overridesIn(overrides: Overrides): readonly string[] {
  return Object.values(overrides).flatMap((value) => (typeof value === 'string' ? [value] : overridesIn(value)));
}

const names = (list: readonly { name: string }[]): readonly string[] => [...new Set(list.map(({ name }) => name))];

describe('the lock file', () => {
  it('lets no package run an install script but those that must', () => {
    const scripted = packages.filter(({ hasInstallScript }) => hasInstallScript);
    expect(names(scripted.filter(({ dev }) => !dev))).toEqual(MAY_RUN_SCRIPTS.production);
    for (const name of names(scripted.filter(({ dev }) => dev))) expect(MAY_RUN_SCRIPTS.development).toContain(name);
    for (const name of Object.keys(manifest.allowScripts)) {
      expect([...MAY_RUN_SCRIPTS.production, ...MAY_RUN_SCRIPTS.development]).toContain(name);
    }
  });

  it('takes every package from the npm registry, with a SHA-512 of what it is', () => {
    expect(packages.length).toBeGreaterThan(100);
    const elsewhere = packages.filter(
      ({ resolved }) => resolved && !resolved.startsWith('https://registry.npmjs.org/'),
    );
    expect(elsewhere).toEqual([]);
    const links = Object.values(lock.packages).filter(({ link }) => link);
    expect(links.map(({ resolved }) => resolved).sort()).toEqual(STAND_INS);
    expect(packages.filter(({ integrity }) => !integrity?.startsWith('sha512-'))).toEqual([]);
  });

  it('brings no Bluetooth stack and no install reporter: empty packages of ours stand in for both', () => {
    for (const folder of STAND_INS) {
      const { dependencies, scripts } = read(`${folder}/package.json`) as Record<string, unknown>;
      expect([folder, dependencies, scripts]).toEqual([folder, undefined, undefined]);
      expect(lock.packages[folder]?.dev).toBe(true);
    }
    expect(names(packages).filter((name) => /(?<!@)noble|bluetooth|serialport|^usb$|scarf/.test(name))).toEqual([]);
  });

  it('can be read by npm 9: no override names another package, which it takes for a broken version', () => {
    expect(overridesIn(manifest.overrides).filter((value) => !/^(\d[\d.]*|\$[\w@/-]+)$/.test(value))).toEqual([]);
  });

  it('ships only packages that state a licence: suncalc’s is in a file of its own', () => {
    expect(names(packages.filter(({ dev, license }) => !dev && !license))).toEqual(['suncalc']);
  });

  it('ships no test framework, and nothing of hap-controller’s, which serves the tests', () => {
    const unwanted = /^(vows|eyes|hap-controller|node-hkdf-sync|libsodium.*|fast-srp-hap|dnssd)$/;
    expect(names(packages.filter(({ dev }) => !dev)).filter((name) => unwanted.test(name))).toEqual([]);
    expect(names(packages).filter((name) => unwanted.test(name))).not.toEqual([]);
  });

  it('holds exactly the versions that package.json names, without ranges', () => {
    const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
      ([, version]) => !STAND_INS.includes(version.replace(/^file:/, '')),
    );
    for (const [name, version] of wanted)
      expect([name, lock.packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
  });

  it('keeps the production tree small', () => {
    const production = names(packages.filter(({ dev, optional }) => !dev && !optional));
    expect(production.length).toBeLessThanOrEqual(PRODUCTION_PACKAGES);
    const builds = names(packages.filter(({ dev, optional }) => !dev && optional));
    expect(builds.filter((name) => !MAY_BE_MISSING.test(name))).toEqual([]);
    const talkers = production.filter((name) =>
      /sentry|analytics|telemetry|posthog|segment|update-notifier/i.test(name),
    );
    // prom-client's: interfaces that do nothing without an implementation, which is absent here.
    expect(talkers).toEqual(['@opentelemetry/api']);
  });
});
