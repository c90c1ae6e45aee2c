/** The webhooks that the user created, with their status. */

import connectionsTexts from 'texts:connections';
import { Button } from '@mantine/core';
import { Plus, Webhook as WebhookIcon } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { present } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useAsked } from '../../../ui/asked.ts';
import { Columns } from '../../../ui/columns.tsx';
import { Badge, Entries, Entry, type Tone } from '../../../ui/entries.tsx';
import { Answer, EmptyState, Section } from '../../../ui/page.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { ConnectionFrame } from '../connection-frame.tsx';
import { DeveloperGate } from '../developer-gate.tsx';
import { type Webhook, WebhooksQuery } from '../documents.ts';
import { HowSection } from '../how-section.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

/** No live event reports deliveries. */
const ASK_EVERY_MS = 5_000;

export function WebhooksPage() {
  const { webhooks: t } = useTexts(connectionsTexts);
  const [isCreating, setCreating] = useState(false);
  useAsked(() => setCreating(true));
  const create = (
    <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setCreating(true)}>
      {t.create}
    </Button>
  );
  return (
    <ConnectionFrame title={t.title} lead={t.lead} actions={create} isForManagers>
      <DeveloperGate>
        <Columns second={<HowSection title={t.how} steps={[t.step1, t.step2, t.step3]} />}>
          <WebhookList />
        </Columns>
      </DeveloperGate>
      {isCreating && <WebhookDialog onClose={() => setCreating(false)} />}
    </ConnectionFrame>
  );
}

function WebhookList() {
  const { webhooks: t } = useTexts(connectionsTexts);
  const webhooks = useApiQuery(WebhooksQuery, {}, { subjects: ['webhooks'], everyMs: ASK_EVERY_MS });
  return (
    <Answer query={webhooks}>
      {({ webhooks: list }) => {
        const all = present(list);
        if (all.length === 0) {
          return (
            <EmptyState icon={<WebhookIcon size={32} />} title={t.emptyTitle}>
              {t.empty}
            </EmptyState>
          );
        }
        return (
          <Section>
            <Entries label={t.title}>
              {all.map((webhook) => (
                <WebhookEntry key={webhook.id} webhook={webhook} />
              ))}
            </Entries>
          </Section>
        );
      }}
    </Answer>
  );
}

function WebhookEntry({ webhook }: { readonly webhook: Webhook }) {
  const texts = useTexts(connectionsTexts);
  const { webhooks: t } = texts;
  const { id, name, url } = webhook;
  return (
    <Entry
      icon={<WebhookIcon />}
      name={name}
      badges={<WebhookBadges webhook={webhook} />}
      actions={
        <Button component={Link} href={`/connections/webhooks/${id}`} variant="default" aria-label={t.openOf({ name })}>
          {texts.deliveries.title}
        </Button>
      }
    >
      <bdi>{url}</bdi>
      <br />
      {webhook.lastSuccessAt === null ? (
        t.neverDelivered
      ) : (
        <>
          {t.lastSuccess} <TimeAgo at={webhook.lastSuccessAt} />
        </>
      )}
    </Entry>
  );
}

const TONES: Readonly<Record<string, Tone>> = { active: 'good', paused: 'note', disabled: 'bad' };

/** Its status, and its warnings. */
export function WebhookBadges({ webhook }: { readonly webhook: Webhook }) {
  const { webhooks: t } = useTexts(connectionsTexts);
  const { status, consecutiveFailures, queuedCount, droppedCount } = webhook;
  return (
    <>
      <Badge tone={TONES[status] ?? 'neutral'}>{t.status[status as keyof typeof t.status] ?? status}</Badge>
      {consecutiveFailures > 0 && <Badge tone="bad">{t.failures({ count: consecutiveFailures })}</Badge>}
      {queuedCount > 0 && <Badge tone="note">{t.queued({ count: queuedCount })}</Badge>}
      {droppedCount > 0 && <Badge tone="bad">{t.dropped({ count: droppedCount })}</Badge>}
    </>
  );
}
