/** What the relay tells about itself. */
import type { RelayInfo } from '../health.ts';
import { builder } from './builder.ts';

const Relay = builder.objectRef<RelayInfo>('Relay').implement({
  description: 'The relay that answers.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: false, description: 'The host that it runs on.' }),
    version: t.exposeString('version', { nullable: false, description: 'Its version.' }),
    instanceId: t.exposeString('instanceId', {
      nullable: false,
      description: 'Eight hex digits that stay the same for this installation.',
    }),
  }),
});

builder.queryFields((t) => ({
  health: t.string({ nullable: false, description: '`ok`: it answers.', resolve: () => 'ok' }),
  version: t.string({
    nullable: false,
    description: 'The relay’s version.',
    resolve: (_, __, { deps }) => deps.info.version,
  }),
  deployedAt: t.string({ description: 'Always null: a relay is installed, not deployed.', resolve: () => null }),
  relay: t.field({
    type: Relay,
    nullable: false,
    description: 'The relay that answers.',
    resolve: (_, __, { deps }) => deps.info,
  }),
}));
