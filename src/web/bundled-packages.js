/**
 * Leaves a list of the packages whose code is in a bundle, as `bundled-packages.json` in its folder: the bill of
 * materials and the licences are made from it. JavaScript, because both configurations of the build load it as it is.
 */

const NODE_MODULES = '/node_modules/';
const NAME = /^(?:@[^/]+\/)?[^/]+/;

/** @returns {import('rolldown').Plugin} */
export function bundledPackages() {
  return {
    name: 'bundled-packages',
    generateBundle(_, bundle) {
      const ids = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const paths = [...new Set(ids.flatMap((id) => packagePath(id) ?? []))].sort();
      this.emitFile({ type: 'asset', fileName: 'bundled-packages.json', source: JSON.stringify(paths, null, 2) });
    },
  };
}

/**
 * @param {string} id a module's path
 * @returns the path of its package as `package-lock.json` has it
 */
export function packagePath(id) {
  const file = id.replace(/^\0+/, '').replace(/\?.*$/, '');
  const begin = file.indexOf(NODE_MODULES);
  const end = file.lastIndexOf(NODE_MODULES) + NODE_MODULES.length;
  if (begin < 0) return undefined;
  const [name = ''] = NAME.exec(file.slice(end)) ?? [];
  return file.slice(begin + 1, end) + name;
}
