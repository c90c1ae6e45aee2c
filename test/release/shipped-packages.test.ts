/** The bill of materials and the licences of a release, made from what the build really leaves. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { licenses } from '../../.ci/licenses.js';
import { sbom } from '../../.ci/sbom.js';
import { resolve, shippedPackages } from '../../.ci/shipped-packages.js';
import { packagePath } from '../../src/web/bundled-packages.js';
import { type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { ROOT } from '../support/built-once.ts';
import { buildWebInto } from '../support/built-web.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly licenses?: readonly unknown[];
  readonly hashes?: readonly { readonly alg: string }[];
  readonly properties: readonly { readonly value: string }[];
}

let program: BuiltProgram;
let dist: string;

beforeAll(() => {
  program = buildProgram();
  dist = join(buildWebInto(program), '..');
});

afterAll(() => program?.[Symbol.dispose]());

const names = (isBundled: boolean) =>
  new Set(
    shippedPackages(ROOT, dist)
      .filter((each) => each.isBundled === isBundled)
      .map(({ name }) => name),
  );

/** The packages that the built daemon loads. */
function imported(): ReadonlySet<string> {
  const folder = join(dist, 'daemon');
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
  const texts = files.map((name) => readFileSync(join(folder, name), 'utf8'));
  const found = texts.flatMap((text) =>
    [...text.matchAll(/^(?:import|export)[^'"\n]*["']([^'"]+)["']|\bimport\(["']([^'"]+)["']\)/gm)].map(
      ([, fixed, late]) => fixed ?? late ?? '',
    ),
  );
  return new Set(
    found
      .filter((name) => !isBuiltin(name) && !/^(?:\.|bun:|\/)/.test(name))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      ),
  );
}

describe('the packages of a release', () => {
  it('are those that the daemon loads, and those in the bundles', () => {
    const loaded = imported();
    expect(loaded.size).toBeGreaterThan(10);
    const installed = names(false);
    expect([...loaded].filter((name) => !installed.has(name))).toEqual([]);
    expect([...names(true)]).toEqual(expect.arrayContaining(['react', '@mantine/core', '@matter/main']));
    for (const tool of ['vitest', 'hap-controller', '@homebridge/hap-nodejs', 'typescript']) {
      expect([tool, installed.has(tool) || names(true).has(tool)]).toEqual([tool, false]);
    }
  });

  it('are refused before the build, and with a package that the lock file has not', () => {
    using empty = createTempDirectory('unbuilt');
    expect(() => shippedPackages(ROOT, empty.path)).toThrow('npm run build');
    using foreign = createTempDirectory('foreign');
    const list = foreign.file('list.json');
    writeFileSync(list, JSON.stringify(['node_modules/unknown']));
    expect(() => shippedPackages(ROOT, dist, [list])).toThrow('node_modules/unknown');
  });

  it('have their dependencies found as Node finds them', () => {
    const paths = new Set(['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/b']);
    expect(resolve('node_modules/a', 'b', paths)).toBe('node_modules/a/node_modules/b');
    expect(resolve('node_modules/a/node_modules/b', 'a', paths)).toBe('node_modules/a');
    expect(resolve('node_modules/b', 'c', paths)).toBeUndefined();
  });

  it('have their path in the lock file', () => {
    expect(packagePath('\0/r/node_modules/a/node_modules/@s/b/dist/c.js?x')).toBe('node_modules/a/node_modules/@s/b');
    expect(packagePath('/r/src/relay.ts')).toBeUndefined();
  });
});

describe('the bill of materials', () => {
  it('is CycloneDX 1.6, and the same each time', async () => {
    const text = sbom(ROOT, dist);
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
    expect(sbom(ROOT, dist)).toBe(text);
  });

  it('states of each package its version, its hash and its licence', () => {
    const { components } = JSON.parse(sbom(ROOT, dist)) as { readonly components: readonly Component[] };
    expect(components).toHaveLength(shippedPackages(ROOT, dist).length);
    expect(components.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512')).toEqual([]);
    // It has its licence in a file of its own.
    expect(components.filter((each) => !each.licenses).map(({ name }) => name)).toEqual(['suncalc']);
  });
});

describe('the licences', () => {
  it('have each package, with the text of its licence', () => {
    const text = licenses(ROOT, dist);
    for (const { name, locked } of shippedPackages(ROOT, dist)) expect(text).toContain(`${name} ${locked.version}\n`);
    expect(text).toContain('Apache License');
  });
});
