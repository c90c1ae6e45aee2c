import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

type Layer =
  | 'kernel'
  | 'hap-spec'
  | 'storage'
  | 'contract'
  | 'home'
  | 'drivers'
  | 'app'
  | 'api'
  | 'config'
  | 'cli'
  | 'texts'
  | 'web'
  | 'relay'
  | 'relay.ts';

/** What each layer may import of ours, besides itself. */
const MAY_IMPORT: Record<Layer, readonly Layer[]> = {
  kernel: [],
  'hap-spec': [],
  storage: ['kernel'],
  home: ['kernel', 'hap-spec'],
  contract: ['kernel', 'hap-spec', 'home'],
  drivers: ['kernel', 'hap-spec', 'storage', 'home'],
  app: ['kernel', 'hap-spec', 'contract', 'storage', 'home'],
  api: ['kernel', 'contract', 'home', 'app', 'texts'],
  config: ['kernel'],
  texts: [],
  web: ['texts'],
  relay: ['kernel', 'hap-spec', 'storage', 'home', 'drivers', 'app', 'api', 'config', 'texts'],
  'relay.ts': ['kernel', 'hap-spec', 'storage', 'home', 'drivers', 'app', 'api', 'config', 'relay'],
  cli: [
    'kernel',
    'hap-spec',
    'contract',
    'storage',
    'home',
    'drivers',
    'app',
    'api',
    'config',
    'texts',
    'relay',
    'relay.ts',
  ],
};

/** Single arrows beyond that, each with its reason. */
const EXCEPTIONS: readonly { from: RegExp; to: RegExp; reason: string }[] = [
  {
    from: /^web\//,
    to: /^home\/vocabulary\/(?:activity-words|device-kinds|device-names|icon-names|limits|lock-pins|nightly-backup|plumbing|room-looks|scene-types|sharing|weekly-window)\.ts$/,
    reason: 'tables and rules without imports, which stood twice before: a browser can load them as they are',
  },
  {
    from: /^web\//,
    to: /^(?:contract\/|(?:hap-spec\/(?:services|characteristics)|home\/model)\.ts$)/,
    reason:
      'names and answers as types, so that an entry that is missing does not compile; the test below allows types only',
  },
  {
    from: /^contract\//,
    to: /^texts\/languages\.ts$/,
    reason: 'the languages of blueprints are those of the pages; the table imports nothing',
  },
  {
    from: /^api\/pages\/dashboard\.ts$/,
    to: /^web\/dashboard\/pwa\/places\.ts$/,
    reason: 'the dashboard owns the list of its addresses, and the relay serves them',
  },
];

/** Why an arrow is forbidden, for its author. */
const REASONS: Record<Layer, string> = {
  kernel: 'the kernel is what everyone stands on; what it imports, everyone imports',
  'hap-spec': 'HAP as tables must be readable and checkable without the rest of the home',
  storage: 'storage knows no table’s meaning; SQL lives in the features’ *-store.ts',
  home: 'the model is pure: no I/O, so that it can be tested and reasoned about alone',
  contract: 'what APIs accept and answer is declared below the operations, and does nothing',
  drivers: 'a driver reports to a sink; if it knew operations or api, virtual and real devices could not be exchanged',
  app: 'operations know devices only through ports, and no API: one operation serves all of them',
  api: 'api hold no rules and no data: parse, call one operation, present',
  texts: 'catalogues and their format serve the pages of browsers and of the relay',
  web: 'what runs in a browser is a client of the public API like any other, and loads nothing of the server',
  config: 'configuration is a typed value that imports nothing',
  relay: 'the parts of the composition root are below the command line only',
  'relay.ts': 'the composition root is below the command line only',
  cli: 'the command line is the outermost layer',
};

/** Packages that only one layer may know. */
const PACKAGE_RULES: readonly { packages: RegExp; allowed: RegExp; reason: string }[] = [
  {
    packages: /^(hono|@hono\/)/,
    allowed: /^(api\/|relay\.ts)/,
    reason: 'HTTP is an API; other APIs call operations too',
  },
  {
    packages: /^(graphql|graphql-http|@pothos\/)/,
    allowed: /^api\/graphql\//,
    reason: 'GraphQL is an API; other APIs call operations too',
  },
  {
    packages: /^(react|react-dom|graphiql|swagger-ui-dist)(\/|$)/,
    allowed: /^web\//,
    reason: 'they run in a browser, and are no dependencies of the daemon',
  },
  {
    packages: /^better-sqlite3$/,
    allowed: /^storage\/sqlite\.ts$/,
    reason: 'its objects must never be collected, which one place sees to',
  },
  {
    packages: /^hap-controller/,
    allowed: /^$/,
    reason: 'it serves the tests: its transport can freeze a daemon, and what it brings is not shipped',
  },
  {
    packages: /^(temporal-polyfill|suncalc)$/,
    allowed: /^home\/schedule\//,
    reason: 'what is due when is planned in one place',
  },
  {
    packages: /^(undici|ipaddr\.js)$/,
    allowed: /^drivers\/http\//,
    reason: 'requests that people configured leave through the sender that guards the home',
  },
  {
    packages: /^(@node-rs\/argon2|jose)$/,
    allowed: /^app\/users\//,
    reason: 'passwords and sessions have one owner',
  },
  { packages: /^@formatjs\//, allowed: /^texts\//, reason: 'messages are compiled in one place' },
  { packages: /^marked$/, allowed: /^web\/docs\//, reason: 'Markdown becomes pages when they are built' },
  { packages: /^oidc-provider(\/|$)/, allowed: /^api\/oauth\//, reason: 'OAuth on the wire is an API' },
  { packages: /^@modelcontextprotocol\//, allowed: /^api\/mcp\//, reason: 'MCP is an API' },
  { packages: /^ws$/, allowed: /^api\/live\//, reason: 'WebSockets are an API' },
  { packages: /^prom-client$/, allowed: /^api\/metrics\//, reason: 'the format of Prometheus is an API' },
  {
    packages: /^@matter\//,
    allowed: /^drivers\/matter\/child\//,
    reason: 'Matter runs in a process of its own, which is one file when it is built',
  },
  { packages: /^mqtt$/, allowed: /^drivers\/mqtt\//, reason: 'a broker is reached through a port' },
  { packages: /^standardwebhooks$/, allowed: /^app\/webhooks\//, reason: 'deliveries are signed where they are made' },
  { packages: /^uqr$/, allowed: /^(api|cli)\//, reason: 'pictures of links are shown, not kept' },
  { packages: /^@peculiar\//, allowed: /^drivers\/https\//, reason: 'certificates are made behind a port' },
  { packages: /^nodemailer$/, allowed: /^drivers\/notifications\//, reason: 'mail is a channel behind a port' },
  {
    packages: /^@marcbachmann\/cel-js$/,
    allowed: /^app\/automations\/expressions\//,
    reason: 'expressions are evaluated within bounded work, by one evaluator',
  },
  { packages: /^yaml$/, allowed: /^app\/automations\/flows\//, reason: 'YAML is one way in which flows move' },
  {
    packages: /^node-cron$/,
    allowed: /^app\/housekeeping\.ts$/,
    reason: 'it loses hours when clocks change: good enough for housekeeping, not for people’s mornings',
  },
  { packages: /^(bonjour-service|multicast-dns)/, allowed: /^drivers\/discovery\//, reason: 'mDNS has one owner' },
  {
    packages: /^commander$|^@clack\/|^cli-table3$/,
    allowed: /^(cli|config)\//,
    reason: 'a terminal is the CLI’s business',
  },
  { packages: /^pino/, allowed: /^kernel\/logger\.ts$/, reason: 'everyone else logs through the Logger interface' },
  {
    packages: /^node:(fs|net|http|https|dgram|child_process|tls|dns)/,
    allowed: /^(?!home\/|hap-spec\/|app\/)/,
    reason: 'the model does no I/O, and operations do theirs through stores and ports',
  },
];

/**
 * Folders of `src/app` that others may import, with the reason. Folders that are not listed here serve only
 * `operations.ts` and the APIs.
 */
const SIDEWAYS_IMPORTS: readonly { of: string; by: readonly string[]; reason: string }[] = [
  {
    of: 'access',
    by: [
      ...['automations', 'backup', 'control', 'groups', 'history', 'layout', 'metrics', 'mqtt', 'notifications'],
      ...['oauth', 'pairings', 'presence', 'publications', 'relay-status', 'scenes', 'settings', 'sharing', 'users'],
      ...['activity', 'adaptive-lighting', 'energy', 'https', 'virtual-accessories', 'webhooks'],
    ],
    reason: 'every operation begins with a caller and its permissions',
  },
  {
    of: 'control',
    by: ['activity', 'automations', 'groups', 'metrics', 'publications', 'scenes', 'sharing', 'virtual-accessories'],
    reason: 'every write to an accessory takes one way, where it is checked and its outcome presented',
  },
  {
    of: 'groups',
    by: ['automations', 'mqtt', 'publications', 'sharing', 'webhooks'],
    reason: 'a group is a target like an accessory: it can be written, shared, published and reported',
  },
  {
    of: 'layout',
    by: ['automations', 'groups', 'virtual-accessories'],
    reason: 'rooms, names and places of accessories are checked in one place',
  },
  {
    of: 'adaptive-lighting',
    by: ['publications'],
    reason: 'controllers of a bridge write the day that a lamp follows',
  },
  { of: 'scenes', by: ['automations', 'mqtt', 'publications'], reason: 'what acts for the home executes scenes' },
  {
    of: 'virtual-accessories',
    by: ['automations', 'mqtt'],
    reason: 'automations and brokers operate timers and counters',
  },
  {
    of: 'notifications',
    by: ['automations', 'metrics', 'webhooks'],
    reason: 'flows send notifications, a webhook that is disabled notifies its owner',
  },
  {
    of: 'history',
    by: ['activity', 'energy', 'metrics', 'sharing'],
    reason:
      'activity is recorded where history is on, the metrics count it, a share shows its accessories’ history, energy reads in slices',
  },
  { of: 'webhooks', by: ['metrics', 'relay-status'], reason: 'their failures are part of the relay’s status' },
  { of: 'mqtt', by: ['metrics'], reason: 'the metrics count published messages' },
  { of: 'settings', by: ['relay-status'], reason: 'the status names the settings that are in effect' },
  { of: 'users', by: ['sharing'], reason: 'a share can be for one account' },
];

/**
 * Parts of the source with names of their own. The contract and the dashboard have their own forms of
 * what the model has: `Scene` is the same scene in all three.
 */
const PART_WITH_OWN_NAMES = /^(?:contract|web)\//;

const DECLARATION = /^(export )?(?:declare )?(?:abstract )?(class|interface|type)\s+(\w+)/gm;

interface Import {
  readonly file: string;
  readonly specifier: string;
}

function listSources(): readonly string[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
}

function listImports(
  pattern = /^(?:import|export)\s[^;]*?from\s+'([^']+)'|import\('([^']+)'\)|^import\s+'([^']+)'/gm,
): readonly Import[] {
  return listSources().flatMap((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    return [...text.matchAll(pattern)].map((match) => ({ file, specifier: match[1] ?? match[2] ?? match[3] ?? '' }));
  });
}

/** The imports of our own files, with the imported file below `src`. */
function relativeImports(imports: readonly Import[]): readonly { readonly file: string; readonly target: string }[] {
  return imports
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ file, specifier }) => ({ file, target: relative(SRC, resolve(SRC, dirname(file), specifier)) }));
}

/** The files of each circle, sorted (Tarjan's strongly connected components). */
function findCircles(imports: readonly { readonly file: string; readonly target: string }[]): readonly string[][] {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports) {
    const known = targets.get(file);
    if (known) known.push(target);
    else targets.set(file, [target]);
  }
  const order = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    let low = order.size;
    order.set(file, low);
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    if (low === order.get(file)) {
      const circle = stack.splice(stack.indexOf(file));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return circles;
}

function layerOf(file: string): Layer {
  const [first = ''] = file.split('/');
  if (!(first in MAY_IMPORT))
    throw new Error(`src/${file} is in no known layer: add it to the table in src/README.md and here`);
  return first as Layer;
}

describe('the import rule', () => {
  const imports = listImports();

  it('finds imports to check', () => {
    expect(imports.length).toBeGreaterThan(20);
  });

  it('lets each layer import only the layers below it', () => {
    const faults = imports.flatMap(({ file, specifier }) => {
      if (!specifier.startsWith('.')) return [];
      const target = relative(SRC, resolve(SRC, dirname(file), specifier));
      const [from, to] = [layerOf(file), layerOf(target)];
      if (from === to || MAY_IMPORT[from].includes(to)) return [];
      if (EXCEPTIONS.some((exception) => exception.from.test(file) && exception.to.test(target))) return [];
      return [`src/${file} imports ${to}: ${REASONS[from]}`];
    });
    expect(faults).toEqual([]);
  });

  it('keeps what a browser loads of the model free of imports', () => {
    const values = listImports(/^import (?!type )[^;]*?from '([^']+)'/gm);
    const faults = values.filter(
      ({ file, specifier }) =>
        (/^home\/vocabulary\/(?:activity-words|device-kinds|device-names|icon-names|limits|lock-pins|nightly-backup|plumbing|room-looks|scene-types|sharing|weekly-window)\.ts$/.test(
          file,
        ) &&
          specifier !== '') ||
        (file.startsWith('web/') && /\/(?:hap-spec\/|home\/model\.ts$)/.test(specifier)),
    );
    expect(faults).toEqual([]);
  });

  it('lets tests open databases by the same door: what is collected ends their process on some versions of Node', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
    const around = files.filter((file) => {
      return (
        /\.tsx?$/.test(file) &&
        /^import .* from 'better-sqlite3'/m.test(readFileSync(join(import.meta.dirname, file), 'utf8'))
      );
    });
    expect(around).toEqual([]);
  });

  it('lets folders of the operations import only the folders that are listed with a reason', () => {
    const arrows = relativeImports(imports).flatMap(({ file, target }) => {
      const [layer, from = ''] = file.split('/');
      const [other, to = ''] = target.split('/');
      const isSideways = layer === 'app' && other === 'app' && from !== to && !/\.ts$/.test(from);
      return isSideways ? [{ file, arrow: `${from} imports ${to}` }] : [];
    });
    const listed = SIDEWAYS_IMPORTS.flatMap(({ of, by }) => by.map((from) => `${from} imports ${of}`));
    expect(arrows.filter(({ arrow }) => !listed.includes(arrow))).toEqual([]);
    expect(listed.filter((arrow) => !arrows.some((one) => one.arrow === arrow))).toEqual([]);
  });

  it('has no circles, not even of types', () => {
    expect(findCircles(relativeImports(imports))).toEqual([]);
  });

  it('gives each class and exported type a name that its part of the source declares nowhere else', () => {
    const declared = listSources().flatMap((file) => {
      const [part = ''] = PART_WITH_OWN_NAMES.exec(file) ?? [];
      return [...readFileSync(join(SRC, file), 'utf8').matchAll(DECLARATION)].map(([, isExported, kind, name]) => {
        return { at: `${name} in ${file}`, name: part + name, isExported, isClass: kind === 'class' };
      });
    });
    const faults = declared.filter((one) =>
      declared.some((other) => other !== one && other.name === one.name && (one.isClass || one.isExported)),
    );
    expect(faults.map(({ at }) => at)).toEqual([]);
  });

  it('lets only its owner know a package', () => {
    const faults = imports.flatMap(({ file, specifier }) =>
      PACKAGE_RULES.filter(({ packages, allowed }) => packages.test(specifier) && !allowed.test(file)).map(
        ({ reason }) => `src/${file} imports ${specifier}: ${reason}`,
      ),
    );
    expect(faults).toEqual([]);
  });
});
