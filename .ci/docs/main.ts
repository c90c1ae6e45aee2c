/**
 * `npm run docs`: makes the manual as a static site in `dist-docs/`, from the documents, with the renderer and the Vite
 * build that make the pages of `/docs`. Any file server can serve it; it loads nothing from elsewhere.
 *
 *   --base /hearthd/   the path of the site at its server; `./` unless given, which fits any
 *   --out <folder>     is emptied first, if it is such a site
 */
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vite';
import { createOpenApi } from '../../src/api/openapi/openapi.ts';
import { VERSION } from '../../src/kernel/version.ts';
import { docs } from '../../src/web/docs/build-docs.ts';
import { parseBase } from '../../src/web/docs/static-site.ts';
import web from '../../src/web/vite.config.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const WEB = join(ROOT, 'src/web');

const { values } = parseArgs({
  options: { base: { type: 'string', default: './' }, out: { type: 'string', default: join(ROOT, 'dist-docs') } },
});

const base = parseBase(values.base);
const out = resolve(values.out);
if (existsSync(out) && readdirSync(out).length > 0 && !existsSync(join(out, 'search.json')))
  throw new Error(`${out} has files that are no site of the manual. Name another folder.`);
/** The site itself answers no requests. */
const servers = [{ url: 'http://localhost:5656', description: 'A relay' }];
const openApi = JSON.stringify({ ...createOpenApi(VERSION), servers });

await build({
  ...web,
  configFile: false,
  plugins: [docs({ base, openApi })],
  build: {
    ...web.build,
    outDir: out,
    rolldownOptions: {
      ...web.build?.rolldownOptions,
      input: { docs: join(WEB, 'docs/page.html'), 'docs-api': join(WEB, 'docs/api/index.html') },
      output: {},
    },
  },
});
cpSync(join(ROOT, 'node_modules/swagger-ui-dist/NOTICE'), join(out, 'assets/swagger-ui-notice.txt'));
process.stdout.write(`${out}: the manual, for ${base === './' ? 'any path' : base}\n`);
