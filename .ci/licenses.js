/**
 * Prints the licences of everything that a release ships, each with its text: one file for all of them.
 *
 *     npm run build && npm run --silent licenses > THIRD-PARTY-LICENSES.txt
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { shippedPackages } from './shipped-packages.js';

const FILE = /^(?:licen[cs]e|copying|notice|unlicense)/i;
const ROOT = resolve(import.meta.dirname, '..');
const LINE = '='.repeat(80);

/**
 * @param {string} root of the repository, with its packages installed
 * @param {string} dist the folder of its build
 * @returns {string}
 * @throws `Error` a package states no licence
 */
export function licenses(root, dist) {
  const shipped = shippedPackages(root, dist);
  // A build for another computer is not installed here; its licence is that of the package which chooses among them.
  const parts = shipped.map(({ path, name, locked: { version, license } }) => {
    const folder = join(root, path);
    const texts = existsSync(folder) ? textsIn(folder) : [];
    const stated = license ?? statedIn(folder);
    if (stated === undefined && texts.length === 0) throw new Error(`${path} states no licence`);
    return [`${name} ${version}`, `Licence: ${stated ?? 'as follows'}`, ...texts].join('\n\n');
  });
  return `${parts.join(`\n\n${LINE}\n\n`)}\n`;
}

/** @param {string} folder @returns {readonly string[]} */
function textsIn(folder) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && FILE.test(entry.name));
  return names
    .map(({ name }) => name)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim());
}

/** @param {string} folder @returns {string | undefined} */
function statedIn(folder) {
  const file = join(folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).license : undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(licenses(ROOT, join(ROOT, 'dist')));
}
