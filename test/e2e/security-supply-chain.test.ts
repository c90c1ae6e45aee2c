/** What `npm ci` may bring in and run: read from the lock file, so that a change of it is seen in review and here. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  /** One build of several: npm takes the one that fits the computer. */
  readonly optional?: boolean;
  readonly link?: boolean;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

const read = (file: string): unknown => JSON.parse(readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8'));
const lock = read('package-lock.json') as { packages: Readonly<Record<string, LockedPackage>> };
const manifest = read('package.json') as Manifest;

/** All but the project itself; the name is what stands after the last `node_modules/`. */
const packages = Object.entries(lock.packages)
  .filter(([path]) => path !== '')
  .map(([path, locked]) => ({ path, name: path.slice(path.lastIndexOf('node_modules/') + 13), ...locked }));

/** better-sqlite3 fetches or compiles its library; esbuild and fsevents serve the tests alone. */
const MAY_RUN_SCRIPTS = { production: ['better-sqlite3'], development: ['esbuild', 'fsevents'] };

/** A new dependency is a decision: look at what it brings along, then raise this. */
const PRODUCTION_PACKAGES = 175;

/** Argon2 for one platform each, and the colours that a terminal may have. */
const MAY_BE_MISSING = /^(@node-rs\/argon2-|@colors\/colors$)/;

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
    expect(packages.filter(({ link }) => link)).toEqual([]);
    expect(packages.filter(({ integrity }) => !integrity?.startsWith('sha512-'))).toEqual([]);
  });

  it('holds exactly the versions that package.json names, without ranges', () => {
    const wanted = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
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
    // prom-client's: interfaces that do nothing unless somebody brings an implementation, which nobody here does.
    expect(talkers).toEqual(['@opentelemetry/api']);
  });
});
