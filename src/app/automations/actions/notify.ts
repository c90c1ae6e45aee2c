import { shorten } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { ActionKind } from './action-kind.ts';
import { renderText } from './rendered.ts';

/** An icon name: `door-open`, `mdi:lamp`. */
const ICON_NAME = /^[a-z0-9][a-z0-9._:-]{0,99}$/i;
const MAX_URL_LENGTH = 2_048;

/**
 * Sends a notification to people. If no recipient was reached (muted, too many this hour, no channel), the output
 * shows that and the action succeeds. An icon that is neither a name nor an https URL is omitted.
 */
export const notify: ActionKind<'notify'> = {
  type: 'notify',
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
    const { delivered, channels, rateLimited, reason } = await run.ports.notifier.notify({
      homeId: run.program.homeId,
      automationId: run.program.id,
      title,
      message,
      icon,
      iconColor: action.iconColor ?? null,
      data: run.render(action.data ?? null),
    });
    const iconRejected = icon === null && action.icon !== undefined && action.icon !== '';
    return { message, title, icon, iconRejected, success: delivered, delivered, channels, rateLimited, reason };
  },
};

/** Pages display the icon: allows https only, so that no page requests it without encryption. */
function isIcon(icon: string): boolean {
  if (ICON_NAME.test(icon)) return true;
  if (icon.length > MAX_URL_LENGTH || !URL.canParse(icon)) return false;
  const { protocol, username, password } = new URL(icon);
  return protocol === 'https:' && username === '' && password === '';
}
