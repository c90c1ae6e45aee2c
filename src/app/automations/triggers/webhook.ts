import type { TriggerKind } from './trigger-kind.ts';

/** The event that a call of a webhook's address is (wire-facts §6.5); its data is the body. */
export function webhookEvent(webhookId: string): string {
  return `webhook.${webhookId}`;
}

/** Somebody called the webhook's address. Which methods are taken is for the face to say, which knows the request. */
export const webhook: TriggerKind<'webhook'> = {
  type: 'webhook',
  summarize: () => 'When its webhook is called',
  watch({ webhookId }, { homeId, ground, fire }) {
    return ground.events.on(homeId, webhookEvent(webhookId), ({ eventData, cause }) => {
      fire({ webhook_payload: eventData }, { cause });
    });
  },
};
