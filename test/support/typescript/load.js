/** Takes the types out of what Node loads; `tsc` judges them. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

const [major] = process.versions.node.split('.');
const OPTIONS = {
  target: `node${major}`,
  sourcemap: true,
  tsconfig: false,
  jsx: { runtime: 'automatic', importSource: 'hono/jsx' },
};

/** @type {import('node:module').LoadHookSync} */
export function load(url, context, nextLoad) {
  const [address = ''] = url.split('?');
  if (!/^file:.*\.tsx?$/.test(address)) return nextLoad(url, context);
  const path = fileURLToPath(address);
  const { code, map, errors } = transformSync(path, readFileSync(path, 'utf8'), OPTIONS);
  if (errors[0] !== undefined) throw errors[0];
  const inline = Buffer.from(JSON.stringify(map)).toString('base64');
  const source = `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}`;
  return { format: 'module', source, shortCircuit: true };
}
