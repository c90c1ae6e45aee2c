import type { DemoHome } from '../support/accessories/demo-home.ts';
import type { Furnished } from './furnish.ts';
import type { PublishedCode, PublishedOn } from './publish.ts';

export interface Ready {
  readonly url: string;
  readonly dataDir: string;
  readonly demoHome: DemoHome;
  readonly furnished: Furnished;
  readonly codes: readonly PublishedCode[];
  readonly publishOn?: PublishedOn | undefined;
}

/** The one line of `--json`. */
export function toJsonLine({ url, dataDir, demoHome: inventory, furnished, codes }: Ready): string {
  const accessories = inventory.accessories.map(({ name, deviceId, port, setupCode }) => ({
    name,
    deviceId,
    port,
    setupCode,
  }));
  const { token, people } = furnished;
  const { email, password, sharePath } = people;
  const shareUrl = `${url}${sharePath}`;
  return JSON.stringify({ url, token, dataDir, email, password, shareUrl, accessories, published: codes });
}

/** The address, the token and lines to paste. */
export async function toText(ready: Ready): Promise<string> {
  const { url, dataDir, demoHome: inventory, furnished } = ready;
  const { token, lampPath, people } = furnished;
  const [home, room, lamp] = lampPath;
  const switchOn = JSON.stringify({ [home]: { [room]: { [lamp]: { on: true } } } });
  const authorization = `-H ${quote(`Authorization: Bearer ${token}`)}`;
  return [
    '',
    `  hearthd serves ${inventory.accessories.length} accessories on ${url}`,
    `  Token: ${token}`,
    `  Data:  ${dataDir}`,
    '',
    '  # What everything is doing',
    `  curl -s ${authorization} ${url}/rest/state`,
    '',
    '  # Switch the reading lamp on',
    `  curl -s ${authorization} -H 'Content-Type: application/json' -d ${quote(switchOn)} ${url}/rest/state`,
    '',
    '  # Every accessory with its services',
    `  curl -s ${authorization} ${url}/rest/accessories`,
    '',
    '  # What happens, as it happens (switch the lamp in another terminal)',
    `  curl -sN ${authorization} ${url}/events`,
    '',
    '  In a browser',
    `  The dashboard:                   ${url}  (${people.email}, password ${people.password})`,
    `  A room that is shared by a link: ${url}${people.sharePath}`,
    `  The API:                         ${url}/graphiql (GraphQL) and ${url}/docs (the manual and REST)`,
    `  For assistants that speak MCP:   ${url}/mcp`,
    '',
    ...(await linesOfCodes(ready)),
    '  Ctrl-C ends it all.',
    '',
  ].join('\n');
}

const APPS = { homekit: 'Apple Home', matter: 'Alexa, Google Home, SmartThings (Matter)' } as const;

async function linesOfCodes({ codes, publishOn }: Ready): Promise<readonly string[]> {
  if (codes.length === 0) return [];
  const { renderUnicodeCompact } = await import('uqr');
  const where = publishOn
    ? `on ${publishOn.name}`
    : 'on this computer alone; for phones: npm run demo -- --publish eth0';
  return [
    `  Published ${where}`,
    ...codes.flatMap(({ kind, code, qrCode }) => [
      `  ${APPS[kind]}: add an accessory with the code ${code}`,
      ...(publishOn ? [renderUnicodeCompact(qrCode, { border: 2 }).replace(/^/gm, '    '), ''] : []),
    ]),
    '',
  ];
}

/** For a POSIX shell: names may hold apostrophes. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
