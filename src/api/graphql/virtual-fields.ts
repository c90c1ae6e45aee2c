/** Further fields of a virtual accessory (wire-facts §7); null for a device, and if its kind has no such field. */
import { presentTime } from '../present/time.ts';
import { PlatformAccessory } from './accessory-types.ts';
import type { AccessoryView } from './accessory-views.ts';
import { builder } from './builder.ts';
import type { GraphqlContext } from './context.ts';

type Details = NonNullable<ReturnType<GraphqlContext['deps']['virtuals']['describe']>>;

/** A resolver of one detail. */
function detail<T>(read: (details: Details) => T) {
  return ({ accessory }: AccessoryView, _: unknown, { deps }: GraphqlContext): T | null => {
    const details = deps.virtuals.describe(accessory);
    return details ? read(details) : null;
  };
}

builder.objectFields(PlatformAccessory, (t) => ({
  isVirtual: t.boolean({
    nullable: false,
    description: 'Whether it was made up here, without a device. The fields below are null for a device.',
    resolve: ({ accessory }) => accessory.virtual !== null,
  }),
  virtualType: t.string({
    description:
      '`input_boolean`, `input_select`, `counter`, `timer`, `input_number`, `input_text` or `input_datetime`.',
    resolve: detail(({ virtualType }) => virtualType),
  }),
  isUserEditable: t.boolean({
    description: 'Whether people may change its value; if not, automations still may.',
    resolve: detail((details) => details.isUserEditable),
  }),
  virtualIcon: t.string({ description: 'How it is drawn, as its maker chose.', resolve: detail(({ icon }) => icon) }),
  virtualOperations: t.stringList({
    description: 'What `operateVirtualAccessory` can do with it.',
    resolve: detail(({ operations }) => [...operations]),
  }),
  virtualConfig: t.field({
    type: 'JSON',
    description: 'How it was set up, as an object.',
    resolve: detail(({ config }) => {
      const { virtualType: _type, icon: _icon, controllable: _controllable, ...setUp } = config;
      return setUp;
    }),
  }),
  virtualOptions: t.stringList({
    description: 'The modes that it can be in.',
    resolve: detail(({ options }) => (options ? [...options] : null)),
  }),
  virtualHasDate: t.boolean({
    description: 'Whether its value has a date.',
    resolve: detail(({ hasDate }) => hasDate),
  }),
  virtualHasTime: t.boolean({
    description: 'Whether its value has a time of day.',
    resolve: detail(({ hasTime }) => hasTime),
  }),
  virtualControl: t.string({
    description: 'How a number is set: `stepper` or `field`.',
    resolve: detail(({ control }) => control),
  }),
  virtualTimerState: t.string({
    description: 'A timer’s state: `idle`, `active` or `paused`.',
    resolve: detail(({ timer }) => timer?.status ?? null),
  }),
  virtualDurationMs: t.float({
    description: 'How long a timer runs, in milliseconds.',
    resolve: detail(({ timer }) => timer?.durationMs ?? null),
  }),
  virtualStartedAt: t.string({
    description: 'When a timer was started, ISO 8601.',
    resolve: detail(({ timer }) => presentTime(timer?.startedAt ?? null)),
  }),
  virtualEndsAt: t.string({
    description: 'When a timer will be through, ISO 8601; null unless it runs.',
    resolve: detail(({ timer }) => presentTime(timer?.endsAt ?? null)),
  }),
  virtualRemainingMs: t.float({
    description: 'What is left of a timer, in milliseconds; null while it is idle.',
    resolve: detail(({ timer }) => timer?.remainingMs ?? null),
  }),
  virtualFinishedAt: t.string({
    description: 'When a timer was through last, ISO 8601.',
    resolve: detail(({ timer }) => presentTime(timer?.finishedAt ?? null)),
  }),
}));
