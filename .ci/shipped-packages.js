/** The packages that a release ships: those that npm installs beside it, and those in the bundles of the build. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const NODE_MODULES = 'node_modules/';

/** The lists that the build leaves (`bundled-packages.js`). */
const BUNDLES = ['daemon/bundled-packages.json', 'web/bundled-packages.json'];

/**
 * @typedef {object} LockedPackage
 * @property {string} version
 * @property {string} [resolved] the address of its archive
 * @property {string} [integrity] `sha512-` and Base64
 * @property {string} [license] an SPDX expression
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [link]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [optionalDependencies]
 */

/**
 * @typedef {object} ShippedPackage
 * @property {string} path below the root of the repository: `node_modules/a/node_modules/b`
 * @property {string} name
 * @property {boolean} isBundled its code is in the files of the build; otherwise npm installs it
 * @property {LockedPackage} locked
 * @property {readonly string[]} dependencies the paths of the shipped packages that it uses
 */

/**
 * @param {string} root of the repository
 * @param {string} dist the folder of its build
 * @param {readonly string[]} lists the files that the build left
 * @returns {readonly ShippedPackage[]} by path
 * @throws `Error` the build has left no list, or a bundle has a package that the lock file has not
 */
export function shippedPackages(root, dist, lists = BUNDLES.map((file) => join(dist, file))) {
  /** @type {Record<string, LockedPackage>} */
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const bundled = new Set(lists.flatMap(bundledIn));
  for (const path of bundled)
    if (!locked[path]) throw new Error(`${path} is in a bundle, but not in package-lock.json`);
  const shipped = Object.entries(locked)
    .filter(([path, { dev, link }]) => path.startsWith(NODE_MODULES) && !link && (!dev || bundled.has(path)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const paths = new Set(shipped.map(([path]) => path));
  return shipped.map(([path, entry]) => ({
    path,
    name: path.slice(path.lastIndexOf(NODE_MODULES) + NODE_MODULES.length),
    isBundled: entry.dev === true,
    locked: entry,
    dependencies: dependenciesOf(path, entry, paths),
  }));
}

/** @param {string} file @returns {readonly string[]} */
function bundledIn(file) {
  if (!existsSync(file)) throw new Error(`There is no ${file}. Run \`npm run build\` first.`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Finds each dependency as Node does: in the package's own folder, then in those above it.
 * @param {string} path @param {LockedPackage} entry @param {ReadonlySet<string>} paths
 */
function dependenciesOf(path, { dependencies, optionalDependencies }, paths) {
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  return names.flatMap((name) => resolve(path, name, paths) ?? []).sort();
}

/** @param {string} from @param {string} name @param {ReadonlySet<string>} paths @returns {string | undefined} */
export function resolve(from, name, paths) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(`/${NODE_MODULES}`)))) {
    const path = `${folder === '' ? '' : `${folder}/`}${NODE_MODULES}${name}`;
    if (paths.has(path)) return path;
    if (folder === '') return undefined;
  }
}
