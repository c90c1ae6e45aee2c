/**
 * A webhook's deliveries, live: filtered by outcome, with the receiver's response, and with a way to send each again.
 */
import connectionsTexts from 'texts:connections';
import { Button, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { act } from '../../../api/client.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { attempt } from '../../../ui/attempt.ts';
import { Badge, Hint, type Tone } from '../../../ui/entries.tsx';
import list from '../../../ui/event-list.module.css';
import { Answer, Section } from '../../../ui/page.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import classes from '../connections.module.css';
import { DeliveriesQuery, type Delivery, ResendDelivery } from '../documents.ts';

const PAGE_SIZE = 20;
/** The API's maximum page size. */
const MAX_SHOWN = 100;
const ASK_EVERY_MS = 2_000;

const STATUSES = ['pending', 'retrying', 'success', 'failed', 'dead_letter'] as const;
const TONES: Readonly<Record<string, Tone>> = {
  pending: 'note',
  retrying: 'note',
  success: 'good',
  failed: 'bad',
  dead_letter: 'bad',
};

export function DeliveriesSection({ webhookId }: { readonly webhookId: string }) {
  const { deliveries: t } = useTexts(connectionsTexts);
  const [status, setStatus] = useState('');
  const [limit, setLimit] = useState(PAGE_SIZE);
  const query = useApiQuery(
    DeliveriesQuery,
    { webhookId, status: status || null, limit, offset: 0 },
    { subjects: ['webhooks'], everyMs: ASK_EVERY_MS, keepPrevious: true },
  );
  const filter = (
    <NativeSelect
      aria-label={t.filter}
      value={status}
      onChange={({ currentTarget }) => setStatus(currentTarget.value)}
      data={[{ value: '', label: t.all }, ...STATUSES.map((value) => ({ value, label: t.status[value] }))]}
    />
  );
  return (
    <Section title={t.title} lead={t.lead} actions={filter}>
      <Answer query={query}>
        {({ webhookDeliveryHistory: history }) => {
          const { deliveries = [], total = 0 } = history ?? {};
          if (deliveries.length === 0) return <Hint>{status ? t.emptyFilter : t.empty}</Hint>;
          return (
            <>
              <ul className={list.events} aria-label={t.title}>
                {deliveries.map((delivery) => (
                  <DeliveryEntry key={delivery.id} delivery={delivery} webhookId={webhookId} />
                ))}
              </ul>
              {total > deliveries.length && limit < MAX_SHOWN && (
                <div>
                  <Button variant="default" onClick={() => setLimit(limit + PAGE_SIZE)}>
                    {t.more}
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Answer>
    </Section>
  );
}

interface DeliveryEntryProps {
  readonly delivery: Delivery;
  readonly webhookId: string;
}

function DeliveryEntry({ delivery, webhookId }: DeliveryEntryProps) {
  const { deliveries: t } = useTexts(connectionsTexts);
  const format = useFormat();
  const { id, eventId, eventType, status, attemptNumber, maxAttempts, nextRetryAt, latencyMs } = delivery;
  const facts = [
    t.attempts({ done: attemptNumber, most: maxAttempts }),
    delivery.responseStatusCode === null ? undefined : t.answered({ status: delivery.responseStatusCode }),
    latencyMs === null ? undefined : format.duration(latencyMs),
    nextRetryAt === null ? undefined : t.next({ when: format.time(nextRetryAt) }),
  ].filter((fact) => fact !== undefined);
  const resend = async () => {
    if (await attempt(() => act(ResendDelivery, { webhookId, deliveryId: id }), 'webhooks'))
      showToast({ text: t.resent });
  };
  return (
    <li>
      <details className={list.event}>
        <summary>
          <Badge tone={TONES[status] ?? 'neutral'}>{t.status[status as keyof typeof t.status] ?? status}</Badge>
          <Text span fw={600}>
            {eventType}
          </Text>
          <span className={list.gist} data-whole>
            {facts.join(' · ')}
          </span>
          <TimeAgo at={delivery.createdAt} />
        </summary>
        <dl className={classes.facts}>
          <dt>{t.deliveryId}</dt>
          <dd>{id}</dd>
          <dt>{t.eventId}</dt>
          <dd>{eventId}</dd>
          {delivery.errorMessage !== null && (
            <>
              <dt>{t.error}</dt>
              <dd>{delivery.errorMessage}</dd>
            </>
          )}
          <dt>{t.response}</dt>
          <dd>
            {delivery.responseBody === null || delivery.responseBody === '' ? (
              t.noResponse
            ) : (
              <pre className={list.code}>{delivery.responseBody}</pre>
            )}
          </dd>
        </dl>
        <Button variant="default" mt="sm" onClick={() => void resend()}>
          {t.resend}
        </Button>
      </details>
    </li>
  );
}
