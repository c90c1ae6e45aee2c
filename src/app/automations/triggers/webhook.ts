import type { TriggerKind } from './trigger-kind.ts';

/** The event type of a webhook call (wire-facts §6.5); its data is the body. */
export function webhookEvent(webhookId: string): string {
  return `webhook.${webhookId}`;
}

/** A request called the webhook's URL. The API, which knows the request, checks the allowed methods. */
export const webhook: TriggerKind<'webhook'> = {
  type: 'webhook',
  summarize: () => 'When its webhook is called',
  watch({ webhookId }, { homeId, triggerDeps, fire }) {
    return triggerDeps.events.on(homeId, webhookEvent(webhookId), ({ eventData, cause }) => {
      fire({ webhook_payload: eventData }, { cause });
    });
  },
};
