import { shorten } from '../../../home/vocabulary/values.ts';
import { HearthError } from '../../../kernel/errors.ts';
import type { ActionKind } from './action-kind.ts';
import { renderText } from './rendered.ts';

/** The name of a picture: `door-open`, `mdi:lamp`. */
const ICON_NAME = /^[a-z0-9][a-z0-9._:-]{0,99}$/i;
const LONGEST_URL = 2_048;

/**
 * Tells people. That nobody was reached (muted, too many this hour, no channel) is in the output and fails nothing. An icon that is
 * neither a name nor an https URL is left out.
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

/** Pages show it: no other scheme, and no address of ours that would be asked without encryption. */
function isIcon(icon: string): boolean {
  if (ICON_NAME.test(icon)) return true;
  if (icon.length > LONGEST_URL || !URL.canParse(icon)) return false;
  const { protocol, username, password } = new URL(icon);
  return protocol === 'https:' && username === '' && password === '';
}
