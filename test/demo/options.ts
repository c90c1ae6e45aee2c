import { parseArgs } from 'node:util';

export interface DemoOptions {
  /** One line of JSON on stdout instead of words for people. */
  readonly json: boolean;
  /** `undefined`: 5656 if it is free, else any. */
  readonly port: number | undefined;
  /** `undefined`: a scratch directory that is removed at the end. */
  readonly dataDir: string | undefined;
  /** The network interface on which other devices can add the home; `undefined`: loopback alone. */
  readonly publish: string | undefined;
  readonly help: boolean;
}

export const USAGE = `Usage: npm run demo -- [--json] [--port PORT] [--data-dir DIR] [--publish INTERFACE]

Starts a home of HomeKit accessories and hearthd on loopback, pairs them all and says how to talk to them.

  --json          print one line of JSON when all is ready: {url, token, dataDir, accessories}; npm prints lines of
                  its own before it unless told not to: npm run --silent demo -- --json
  --port PORT     serve on this port (default: 5656 if it is free, else any)
  --data-dir DIR  keep everything in DIR, and find it again next time (default: a scratch directory)
  --publish INTERFACE
                  let phones on this network add the home with the codes that are printed, for example: --publish eth0
                  (default: loopback alone). The API then answers there too, to those who sign in.
`;

/** @throws `Error` with a sentence about what is wrong with the arguments. */
export function parseOptions(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      port: { type: 'string' },
      'data-dir': { type: 'string' },
      publish: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const port = values.port === undefined ? undefined : Number(values.port);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
    throw new Error(`--port takes a number from 1 to 65535, not '${values.port}'`);
  }
  return { json: values.json, port, dataDir: values['data-dir'], publish: values.publish, help: values.help };
}
