/**
 * Prints the bill of materials of a release as CycloneDX 1.6: each package that npm installs beside it, and each whose
 * code is in the files of the build. The same commit gives the same bytes: there is no time and no random number in it.
 *
 *     npm run build && npm run --silent sbom > sbom.json
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { shippedPackages } from './shipped-packages.js';

const ROOT = resolve(import.meta.dirname, '..');

/** @param {string} root of the repository @param {string} dist the folder of its build @returns {string} JSON */
export function sbom(root, dist) {
  const { name, version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const bom = new Models.Bom();
  const relay = new Models.Component(Enums.ComponentType.Application, name, {
    version,
    description,
    bomRef: `pkg:npm/${name}@${version}`,
    purl: `pkg:npm/${name}@${version}`,
    licenses: new Models.LicenseRepository([new Models.SpdxLicense(license)]),
  });
  bom.metadata.component = relay;
  const shipped = shippedPackages(root, dist);
  const components = new Map(shipped.map((each) => [each.path, componentOf(each)]));
  for (const { path, dependencies } of shipped) {
    const component = components.get(path);
    for (const used of dependencies) component.dependencies.add(components.get(used).bomRef);
    bom.components.add(component);
    if (!path.includes('/node_modules/')) relay.dependencies.add(component.bomRef);
  }
  const normalizer = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6);
  return new Serialize.JsonSerializer(normalizer).serialize(bom, { sortLists: true, space: 2 });
}

/** @param {import('./shipped-packages.js').ShippedPackage} shipped */
function componentOf({ path, name, isBundled, locked: { version, resolved, integrity, license, optional } }) {
  const [group, plain] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const component = new Models.Component(Enums.ComponentType.Library, plain, {
    group,
    version,
    // Two places may have the same version.
    bomRef: `${purl}#${path}`,
    purl,
    scope: optional ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required,
  });
  if (license) component.licenses.add(licenseOf(license));
  if (integrity) component.hashes.set(Enums.HashAlgorithm['SHA-512'], hexOf(integrity));
  if (resolved) {
    component.externalReferences.add(new Models.ExternalReference(resolved, Enums.ExternalReferenceType.Distribution));
  }
  component.properties.add(new Models.Property('hearthd:shipped', isBundled ? 'in the files of the build' : 'by npm'));
  return component;
}

/** @param {string} text an SPDX identifier or an expression */
function licenseOf(text) {
  return /[ ()]/.test(text) ? new Models.LicenseExpression(text) : new Models.SpdxLicense(text);
}

/** @param {string} integrity `sha512-` and Base64 */
function hexOf(integrity) {
  return Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(`${sbom(ROOT, join(ROOT, 'dist'))}\n`);
}
