import type { Controller, Pairing } from '../../contract/pairings.ts';
import { defineCommand } from '../define-command.ts';
import { usageError } from '../exit-codes.ts';
import type { ResourceRow } from '../resource-commands.ts';
import { findPairing } from './pairings.ts';

const ID_ARGUMENT = ['<id>', 'the controller’s pairing id'] as const;

/** The controllers of a device. */
const CONTROLLERS: ResourceRow<Pairing> = {
  argument: ['<device>', 'device id or name from hearthd pairings'],
  find: findPairing,
  path: ({ deviceId }) => `/rest/pairings/${encodeURIComponent(deviceId)}/controllers`,
};

/** `hearthd controllers …`: the other controllers of a paired device (HAP list, add and remove pairing). */
export const controllersCommand = defineCommand({
  name: 'controllers',
  description: 'list, add or remove the controllers that a device accepts',
  examples: ['hearthd controllers list "Front Door"', 'hearthd controllers remove "Front Door" 9C3F…'],
  commands: [
    defineCommand({
      name: 'list',
      description: 'list the controllers of a device',
      arguments: [CONTROLLERS.argument],
      async run({ api, output }, text) {
        output.list(
          await api.get<Controller[]>(CONTROLLERS.path(await findPairing(api, text))),
          ({ id, admin, self, publicKey }) => ({
            Id: id,
            Role: admin ? 'admin' : 'user',
            '': self ? 'this relay' : '',
            'Public key': publicKey,
          }),
          'The device lists no controllers.',
        );
      },
    }),
    defineCommand({
      name: 'add',
      description: 'add a controller',
      arguments: [CONTROLLERS.argument, ID_ARGUMENT, ['<public-key>', 'its Ed25519 public key, 64 hex digits']],
      options: [['--admin', 'allow it to add and remove controllers']],
      async run({ api, output }, text, id, publicKey, { admin }) {
        if (!/^[0-9a-f]{64}$/i.test(publicKey)) throw usageError('The public key must have 64 hex digits.');
        const path = CONTROLLERS.path(await findPairing(api, text));
        const answer = await api.send('POST', path, { id, publicKey, admin: admin ?? false });
        output.done(answer ?? { success: true }, `${id} may now control ${text}.`);
      },
    }),
    defineCommand({
      name: 'remove',
      description: 'remove a controller',
      arguments: [CONTROLLERS.argument, ID_ARGUMENT],
      async run({ api, output }, text, id) {
        const path = `${CONTROLLERS.path(await findPairing(api, text))}/${encodeURIComponent(id)}`;
        output.done((await api.send('DELETE', path)) ?? { success: true }, `${id} may no longer control ${text}.`);
      },
    }),
  ],
});
