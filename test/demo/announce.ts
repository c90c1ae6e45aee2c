import type { DemoHome } from '../support/accessories/demo-home.ts';
import type { Furnished } from './furnish.ts';

export interface Ready {
  readonly url: string;
  readonly dataDir: string;
  readonly demoHome: DemoHome;
  readonly furnished: Furnished;
}

/** The one line of `--json`. */
export function toJsonLine({ url, dataDir, demoHome: inventory, furnished }: Ready): string {
  const accessories = inventory.accessories.map(({ name, deviceId, port, setupCode }) => ({
    name,
    deviceId,
    port,
    setupCode,
  }));
  const { token, people } = furnished;
  const { email, password, sharePath } = people;
  return JSON.stringify({ url, token, dataDir, email, password, shareUrl: `${url}${sharePath}`, accessories });
}

/** The address, the token and lines to paste. */
export function toText({ url, dataDir, demoHome: inventory, furnished }: Ready): string {
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
    '  Ctrl-C ends it all.',
    '',
  ].join('\n');
}

/** For a POSIX shell: names may hold apostrophes. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
