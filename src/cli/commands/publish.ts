import type {
  Publication,
  PublicationController,
  PublicationKind,
  PublicationPreview,
} from '../../contract/publications.ts';
import { HOME_OPTION } from '../action.ts';
import type { ApiClient } from '../api-client.ts';
import { defineCommand, REQUIRED } from '../define-command.ts';
import { requireChange, usageError } from '../exit-codes.ts';
import { loadInventory } from '../inventory.ts';
import { type CommandOutput, qrLines } from '../output.ts';
import { LOCK_PIN, readNewSecret, stdinOption } from '../read-secret.ts';
import { change, listInHomes, type ResourceRow, remove, show } from '../resource-commands.ts';
import type { Terminal } from '../terminal.ts';
import { SELECTION_OPTIONS, selectionOf } from './publish-selection.ts';

const PUBLICATIONS = '/rest/publications';
/** Longer than the relay waits for the first start over Matter. */
const OPEN_TIMEOUT_MS = 90_000;
const KIND_OPTION = ['--kind <kind>', 'homekit or matter'] as const;

const LOCK_PIN_OPTIONS = [
  ['--lock-pin', 'over Matter: require a PIN to lock and unlock (prompts for it)'],
  stdinOption(LOCK_PIN),
] as const;

const PUBLICATION: ResourceRow<Publication> = {
  argument: ['<publication>', 'name, "Home/Name" or id'],
  async find(api, text) {
    const [inventory, publications] = await Promise.all([loadInventory(api), api.get<Publication[]>(PUBLICATIONS)]);
    return inventory.thing('publication', text, publications);
  },
  path: ({ id }) => `${PUBLICATIONS}/${id}`,
};

const createPublication = defineCommand({
  name: 'create',
  description: 'publish a home, or a part of it, and show its setup code',
  options: [
    [...KIND_OPTION, REQUIRED],
    ['--name <name>', 'name of the bridge', REQUIRED],
    HOME_OPTION,
    ...SELECTION_OPTIONS,
    ...LOCK_PIN_OPTIONS,
  ],
  async run({ api, output }, { kind, name, home, lockPin, lockPinStdin, ...options }) {
    const body = {
      name,
      kind: kind as PublicationKind,
      homeId: await homeIdOf(api, home),
      selection: await selectionOf(options, api, home),
      lockPin: await readLockPin(output.terminal, { lockPin, lockPinStdin }),
    };
    const publication = await api.send<Publication>('POST', PUBLICATIONS, body, OPEN_TIMEOUT_MS);
    if (output.json) output.result(publication, () => undefined);
    else await printPublication(publication, output);
  },
});

const updatePublication = defineCommand({
  name: 'update',
  description:
    'rename a publication, or change what it publishes or its PIN for locks; selection options replace previous ones',
  arguments: [PUBLICATION.argument],
  options: [
    ['--name <name>', 'new name'],
    ...SELECTION_OPTIONS,
    ...LOCK_PIN_OPTIONS,
    ['--no-lock-pin', 'lock and unlock without a PIN'],
  ],
  async run({ api, output }, text, { name, lockPin, lockPinStdin, ...options }) {
    const { homeId, ...publication } = await PUBLICATION.find(api, text);
    const changes = requireChange({
      name,
      selection: await selectionOf(options, api, homeId),
      lockPin: await readLockPin(output.terminal, { lockPin, lockPinStdin }),
    });
    const path = PUBLICATION.path({ homeId, ...publication });
    const updated = await api.send<Publication>('PATCH', path, changes, OPEN_TIMEOUT_MS);
    output.done(updated, `Updated the publication ${updated.name}.`);
  },
});

const preview = defineCommand({
  name: 'preview',
  description: 'show what a publication publishes, or what options would publish',
  arguments: [['[publication]', 'name, "Home/Name" or id; without it, a new one']],
  options: [KIND_OPTION, HOME_OPTION, ...SELECTION_OPTIONS],
  async run({ api, output }, text, { kind, home, ...options }) {
    const saved = text === undefined ? undefined : await PUBLICATION.find(api, text);
    const selection = await selectionOf(options, api, saved?.homeId ?? home);
    if (!saved && kind === undefined) throw usageError('Pass a publication, or --kind homekit or matter.');
    const shown =
      saved && !selection
        ? await api.get<PublicationPreview>(`${PUBLICATION.path(saved)}/preview`)
        : await api.send<PublicationPreview>('POST', `${PUBLICATIONS}/preview`, {
            kind: saved?.kind ?? kind,
            homeId: saved?.homeId ?? (await homeIdOf(api, home)),
            publicationId: saved?.id,
            selection,
          });
    output.result(shown, () => printPreview(shown, output));
  },
});

const listControllers = defineCommand({
  name: 'controllers',
  description: 'list the controllers that are paired with a publication',
  arguments: [PUBLICATION.argument],
  async run({ api, output }, text) {
    const publication = await PUBLICATION.find(api, text);
    const controllers = await api.get<PublicationController[]>(`${PUBLICATION.path(publication)}/controllers`);
    output.list(
      controllers,
      ({ identifier, name, isAdmin, bridgeId, isConnected, address, lastSeenAt, pairedAt }) => ({
        Id: identifier,
        Name: name,
        Role: isAdmin ? 'admin' : 'user',
        Bridge: publication.bridges.find(({ id }) => id === bridgeId)?.name,
        Connected: isConnected ? (address ?? 'yes') : '',
        'Last seen': output.when(lastSeenAt),
        Paired: output.when(pairedAt),
      }),
      'No controllers. Add the bridge in Apple Home with its setup code: hearthd publish show.',
    );
  },
});

const removeController = defineCommand({
  name: 'remove-controller',
  description: 'remove a controller from a publication',
  arguments: [PUBLICATION.argument, ['<id>', 'its id from hearthd publish controllers']],
  async run({ api, output }, text, id) {
    const publication = await PUBLICATION.find(api, text);
    const path = `${PUBLICATION.path(publication)}/controllers/${encodeURIComponent(id)}`;
    output.done(
      (await api.send('DELETE', path)) ?? { success: true },
      `Removed the controller from ${publication.name}.`,
    );
  },
});

/** `hearthd publish …`: what homes publish to other ecosystems. */
export const publishCommand = defineCommand({
  name: 'publish',
  description: 'publish homes to Apple Home and others',
  examples: [
    'hearthd publish create --kind homekit --name Hearth',
    'hearthd publish create --kind homekit --name Lights --types light --except "Hall/Lamp"',
    'hearthd publish create --kind matter --name Hearth --lock-pin',
    'hearthd publish preview Hearth',
    'hearthd publish controllers Hearth',
  ],
  commands: [
    listInHomes({
      description: 'list the publications',
      load: (api, home) => api.get<Publication[]>(PUBLICATIONS, home === undefined ? {} : { home }),
      columns: (publication, inventory) => ({
        Home: inventory.homeName(publication),
        Name: publication.name,
        Kind: publication.kind,
        Status: publication.status,
        Bridges: publication.bridges.length,
        Accessories: sum(publication.bridges.map(({ accessories }) => accessories)),
        Controllers: sum(publication.bridges.map(({ controllers }) => controllers)),
        Id: publication.id,
      }),
      empty: 'No publications. Create one with hearthd publish create --kind homekit --name Hearth.',
    }),
    show(PUBLICATION, {
      description: 'show a publication with its setup codes',
      print: (publication, { output }) => printPublication(publication, output),
    }),
    createPublication,
    updatePublication,
    preview,
    change(PUBLICATION, {
      name: 'pause',
      description: 'close a publication until it is resumed',
      method: 'POST',
      suffix: '/pause',
      done: ({ name }: Publication) => `The publication ${name} is paused.`,
    }),
    change(PUBLICATION, {
      name: 'resume',
      description: 'open a paused publication',
      method: 'POST',
      suffix: '/resume',
      done: ({ name, status, error }: Publication) => `The publication ${name} is ${error ?? status}.`,
    }),
    change(PUBLICATION, {
      name: 'reset',
      description: 'give a publication new codes and remove all its controllers',
      method: 'POST',
      suffix: '/reset',
      done: ({ name }: Publication) => `The publication ${name} has new codes. Show them with hearthd publish show.`,
    }),
    change(PUBLICATION, {
      name: 'open-window',
      description: 'let controllers be added over Matter for 15 minutes',
      method: 'POST',
      suffix: '/window',
      body: () => ({}),
      done: ({ name }: Publication) =>
        `Controllers can be added to ${name}. hearthd publish show has the code and the end.`,
    }),
    change(PUBLICATION, {
      name: 'close-window',
      description: 'let no further controller be added over Matter',
      method: 'DELETE',
      suffix: '/window',
      done: ({ name }: Publication) => `No controller can be added to ${name}.`,
    }),
    listControllers,
    removeController,
    remove(PUBLICATION, {
      description: 'delete a publication; controllers lose it for good',
      done: ({ name }) => `Deleted the publication ${name}.`,
    }),
  ],
});

interface LockPinOptions {
  /** `false` removes it. */
  readonly lockPin: boolean | undefined;
  readonly lockPinStdin: boolean | undefined;
}

/** @returns `undefined` without such an option. @throws `CliError` no terminal for a prompt, or an empty input */
async function readLockPin(
  terminal: Terminal,
  { lockPin, lockPinStdin = false }: LockPinOptions,
): Promise<string | null | undefined> {
  if (lockPin === false && lockPinStdin) throw usageError('Pass either a PIN or --no-lock-pin.');
  if (lockPin === false) return null;
  return lockPin || lockPinStdin ? readNewSecret(terminal, LOCK_PIN, lockPinStdin) : undefined;
}

async function homeIdOf(api: ApiClient, home: string | undefined): Promise<string | undefined> {
  return home === undefined ? undefined : (await loadInventory(api)).home(home).id;
}

async function printPublication(publication: Publication, output: CommandOutput): Promise<void> {
  const { name, kind, status, error, bridges, hasLockPin } = publication;
  output.line(`${name}: ${kind}, ${status}${error === null ? '' : `. ${error}`}`);
  if (hasLockPin) output.line('Locks take a PIN.');
  for (const { name: bridge, accessories, controllers, port, hasMatterPort, windowEndsAt, ...codes } of bridges) {
    output.line('');
    output.line(
      `${bridge}: ${accessories} accessories, ${controllers} controllers${port === null ? '' : `, port ${port}`}`,
    );
    if (hasMatterPort === false) output.note('UDP port 5540 is taken. Alexa finds a bridge only there.');
    if (windowEndsAt !== null) output.line(`Controllers can be added until ${output.when(windowEndsAt)}.`);
    const [code, qrText] = [codes.setupCode ?? codes.manualCode, codes.setupUri ?? codes.qrCode];
    if (code === null || qrText === null) continue;
    output.line(`Setup code: ${code}`);
    for (const line of output.terminal.isTty ? await qrLines(qrText) : []) output.line(line);
  }
}

function printPreview({ items, bridges, warnings }: PublicationPreview, output: CommandOutput): void {
  output.table(
    ['Name', 'Room', 'Published as', 'Bridge', 'Note'],
    items.map(({ name, room, publishedAs, bridge, reason, note }) => [
      name,
      room,
      publishedAs ?? 'not published',
      bridge,
      reason ?? note,
    ]),
    'Nothing is selected.',
  );
  for (const { name, accessories } of bridges) output.line(`${name}: ${accessories} accessories`);
  for (const warning of warnings) output.note(warning);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
