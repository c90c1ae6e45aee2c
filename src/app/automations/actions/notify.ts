import { z } from 'zod';
import { text as textSchema } from '../../../contract/fields.ts';
import { NotificationButton } from '../../../contract/notifications.ts';
import { parseInput } from '../../../contract/parse.ts';
import { MAX_BUTTONS } from '../../../home/vocabulary/limits.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import { parseUrl } from '../../../kernel/parse-url.ts';
import type { Template } from '../field-types.ts';
import { fault, invalid } from '../parsing/faults.ts';
import { field, optional, type RequiredField } from '../parsing/field.ts';
import { listOf, notificationTag } from '../parsing/field-kinds.ts';
import { parseText } from '../parsing/fields.ts';
import { actionKind } from './action-kind.ts';
import { template, templates } from './fields.ts';
import { renderText } from './rendered.ts';

/** An icon name: `door-open`, `mdi:lamp`. */
const ICON_NAME = /^[a-z0-9][a-z0-9._:-]{0,99}$/i;
const MAX_URL_LENGTH = 2_048;

/** The rendered message must not be blank either; that is checked at run time. */
const MESSAGE: RequiredField<Template> = field(
  'a text',
  textSchema('May hold templates: `{{ trigger.to_value }}`.'),
  (value, path, { parsing }) => {
    const message = parseText(value, path);
    if (message.trim() === '') throw invalid(path, 'it must not be empty');
    return parsing.template(message, path);
  },
);

/** Whether it can be shown is checked at run time. */
function icon(description: string): RequiredField<string> {
  return field('a text', textSchema(description), (value, path) => {
    const text = parseText(value, path);
    if (text.length <= MAX_URL_LENGTH) return text;
    throw invalid(path, `it must have at most ${MAX_URL_LENGTH} characters`);
  });
}

const BUTTONS = listOf(
  'buttons',
  MAX_BUTTONS,
  z.array(NotificationButton).meta({
    description: `At most ${MAX_BUTTONS} buttons to answer with: a trigger \`notification_action\` fires when one is pressed.`,
  }),
  (list, path): readonly NotificationButton[] => {
    const buttons = list.map((one, index) => parseButton(one, `${path}[${index}]`));
    const again = buttons.findIndex(({ id }, index) => buttons.findIndex((other) => other.id === id) < index);
    if (again !== -1) throw invalid(`${path}[${again}].id`, 'each button needs an id of its own');
    return buttons;
  },
);

function parseButton(input: unknown, path: string): NotificationButton {
  try {
    return parseInput(NotificationButton, input);
  } catch (error) {
    if (!(error instanceof HearthError)) throw error;
    // The parser of names knows no field.
    const { field = 'title' } = error.details;
    throw fault(error.code, field === '' ? path : `${path}.${field}`, error.message);
  }
}

/**
 * Sends a notification to people. If no recipient was reached (muted, too many this hour, no channel), the output
 * shows that and the action succeeds. An icon that is neither a name nor an https URL is omitted.
 */
export const notify = actionKind({
  type: 'notify',
  fields: {
    message: MESSAGE,
    title: optional(template('May hold templates.')),
    icon: optional(icon('A name such as `door-open`, or an https URL.')),
    iconColor: optional(icon('Its color.')),
    data: optional(templates('For clients.')),
    buttons: optional(BUTTONS),
    tag: optional(notificationTag('What triggers know it by, besides its automation.')),
  },
  effect: 'once',
  summarize: ({ title, message }) => `Notify: ${shorten(title ?? message)}`,
  async execute(action, run) {
    const message = renderText(run, action.message, 'message');
    if (message.trim() === '')
      throw new HearthError('invalid_value', 'The message is empty', {
        reason: 'empty_message',
        field: 'message',
      });
    const title = action.title === undefined ? null : renderText(run, action.title, 'title');
    const icon = action.icon !== undefined && isIcon(action.icon) ? action.icon : null;
    const { notificationId, delivered, channels, rateLimited, reason } = await run.ports.notifier.notify({
      homeId: run.program.homeId,
      automationId: run.program.id,
      accessoryId: run.scope.trigger?.accessory_id ?? null,
      title,
      message,
      icon,
      iconColor: action.iconColor ?? null,
      data: run.render(action.data ?? null),
      tag: action.tag ?? null,
      buttons: action.buttons ?? [],
    });
    const iconRejected = icon === null && action.icon !== undefined && action.icon !== '';
    const sent = { success: delivered, delivered, channels, rateLimited, reason };
    return { notificationId, message, title, icon, iconRejected, ...sent };
  },
});

/** Pages display the icon: allows https only, so that no page requests it without encryption. */
function isIcon(icon: string): boolean {
  if (ICON_NAME.test(icon)) return true;
  const url = icon.length <= MAX_URL_LENGTH ? parseUrl(icon) : undefined;
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}
