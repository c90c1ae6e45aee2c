/** The buttons of a notification outside its page. */
import { act, ask } from '../api/client.ts';
import { graphql, present } from '../api/graphql.ts';
import { refresh } from '../api/query.ts';
import { errorText } from '../ui/error-text.ts';
import { showToast } from '../ui/toasts.tsx';

/** It was sent a moment ago: only a few can be newer. */
const LatestButtons = graphql(`
  query LatestNotificationButtons {
    notificationHistory(limit: 10) {
      id
      buttons {
        id
        title
      }
    }
  }
`);

export const PressButton = graphql(`
  mutation PressNotificationButton($notificationId: String!, $buttonId: String!) {
    pressNotificationButton(notificationId: $notificationId, buttonId: $buttonId) {
      success
      error
      code
      reason
    }
  }
`);

export async function buttonsOf(notificationId: string) {
  const { notificationHistory } = await ask(LatestButtons, {});
  return present(notificationHistory).find(({ id }) => id === notificationId)?.buttons ?? [];
}

/** Shows what went wrong. */
export async function press(notificationId: string, buttonId: string): Promise<void> {
  try {
    await act(PressButton, { notificationId, buttonId });
    refresh('notifications');
  } catch (error) {
    showToast({ tone: 'bad', text: errorText(error) });
  }
}
