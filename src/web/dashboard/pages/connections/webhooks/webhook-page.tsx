/** One webhook: its status, its actions, and the result of each delivery. */

import commonTexts from 'texts:common';
import connectionsTexts from 'texts:connections';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useManagesHome } from '../../../account/account.ts';
import { useDeveloperMode } from '../../../account/developer-mode.ts';
import { act } from '../../../api/client.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { attempt } from '../../../ui/attempt.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Columns } from '../../../ui/columns.tsx';
import { confirm } from '../../../ui/confirm.ts';
import { ActsMenu, Hint, Note } from '../../../ui/entries.tsx';
import { Answer, Section } from '../../../ui/page.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { ConnectionFrame } from '../connection-frame.tsx';
import classes from '../connections.module.css';
import { DeveloperGate } from '../developer-gate.tsx';
import {
  DeleteWebhook,
  PauseWebhook,
  ResumeWebhook,
  RotateSecret,
  TestWebhook,
  type Webhook,
  WebhookQuery,
} from '../documents.ts';
import { SecretDialog } from '../secret-dialog.tsx';
import { DeliveriesSection } from './deliveries-section.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { isEverything } from './webhook-draft.ts';
import { WebhookBadges } from './webhooks-page.tsx';

const ASK_EVERY_MS = 3_000;

export function WebhookPage({ webhookId = '' }: { readonly webhookId?: string }) {
  const { webhooks: t } = useTexts(connectionsTexts);
  const { isOn } = useDeveloperMode();
  const managesHome = useManagesHome();
  const query = useApiQuery(
    WebhookQuery,
    { webhookId },
    { subjects: ['webhooks'], everyMs: ASK_EVERY_MS, enabled: isOn && managesHome },
  );
  const shown = query.data?.webhook;
  return (
    <ConnectionFrame
      title={shown?.name ?? t.title}
      lead={shown && <WebhookBadges webhook={shown} />}
      actions={isOn && shown && <WebhookMenu webhook={shown} />}
      above={<BackLink href="/connections/webhooks">{t.title}</BackLink>}
      isForManagers
    >
      <DeveloperGate>
        <Answer query={query}>
          {({ webhook }) =>
            webhook ? (
              <Columns second={<DeliveriesSection webhookId={webhook.id} />}>
                <WebhookSection webhook={webhook} />
              </Columns>
            ) : (
              <Hint>{t.gone}</Hint>
            )
          }
        </Answer>
      </DeveloperGate>
    </ConnectionFrame>
  );
}

function WebhookSection({ webhook }: { readonly webhook: Webhook }) {
  const { webhooks: t } = useTexts(connectionsTexts);
  const format = useFormat();
  const { url, status, eventTypes, secretPrefix, lastSuccessAt, lastFailureReason, previousSecretUntil } = webhook;
  return (
    <Section>
      {status === 'disabled' && <Note>{t.disabledText}</Note>}
      <dl className={classes.facts}>
        <dt>{t.url}</dt>
        <dd>
          <bdi>{url}</bdi>
        </dd>
        <dt>{t.events}</dt>
        <dd>{isEverything(eventTypes) ? t.allEvents : format.list(eventTypes)}</dd>
        <dt>{t.delivery}</dt>
        <dd>
          {lastSuccessAt === null ? (
            t.neverDelivered
          ) : (
            <>
              {t.lastSuccess} <TimeAgo at={lastSuccessAt} />
            </>
          )}
        </dd>
        <dt>{t.secret}</dt>
        <dd>
          <code>{secretPrefix}</code>{' '}
          {previousSecretUntil !== null && t.previousUntil({ when: format.dateTime(previousSecretUntil) })}
        </dd>
      </dl>
      {lastFailureReason !== null && <Hint>{t.lastProblem({ why: lastFailureReason })}</Hint>}
      <WebhookActs webhook={webhook} />
    </Section>
  );
}

function WebhookActs({ webhook }: { readonly webhook: Webhook }) {
  const { webhooks: t } = useTexts(connectionsTexts);
  const common = useTexts(commonTexts);
  const format = useFormat();
  const [isEditing, setEditing] = useState(false);
  const [isTesting, setTesting] = useState(false);
  const { id: webhookId, name, status } = webhook;
  const test = async () => {
    setTesting(true);
    const done = await attempt(() => act(TestWebhook, { webhookId }), 'webhooks');
    setTesting(false);
    const { statusCode, responseTimeMs } = done?.testWebhook ?? {};
    if (statusCode != null)
      showToast({ text: t.testOk({ status: statusCode, ms: format.duration(responseTimeMs ?? 0) }) });
  };
  const pause = async () => {
    if (!(await attempt(() => act(PauseWebhook, { webhookId }), 'webhooks'))) return;
    showToast({ text: t.paused({ name }), action: { label: common.undo, run: () => void resume() } });
  };
  const resume = async () => {
    if (await attempt(() => act(ResumeWebhook, { webhookId }), 'webhooks')) showToast({ text: t.resumed({ name }) });
  };
  return (
    <div className={classes.acts}>
      <Button loading={isTesting} onClick={() => void test()}>
        {t.test}
      </Button>
      <Button variant="default" onClick={() => void (status === 'active' ? pause() : resume())}>
        {status === 'active' ? t.pause : t.resume}
      </Button>
      <Button variant="default" onClick={() => setEditing(true)}>
        {common.edit}
      </Button>
      {isEditing && <WebhookDialog webhook={webhook} onClose={() => setEditing(false)} />}
    </div>
  );
}

function WebhookMenu({ webhook }: { readonly webhook: Webhook }) {
  const texts = useTexts(connectionsTexts);
  const { webhooks: t } = texts;
  const [, go] = useLocation();
  const [secret, setSecret] = useState<string>();
  const { id: webhookId, name } = webhook;
  const rotate = async () => {
    if (!(await confirm({ title: t.rotateTitle, body: t.rotateText, action: t.rotate }))) return;
    const done = await attempt(() => act(RotateSecret, { webhookId }), 'webhooks');
    setSecret(done?.rotateWebhookSecret?.rawSecret ?? undefined);
  };
  const remove = async () => {
    const question = { title: t.removeTitle({ name }), body: t.removeText, action: t.remove, isDangerous: true };
    if (!(await confirm(question))) return;
    if (await attempt(() => act(DeleteWebhook, { webhookId }), 'webhooks')) go('/connections/webhooks');
  };
  return (
    <>
      <ActsMenu
        label={texts.actsFor({ name })}
        acts={[
          { label: t.rotate, run: () => void rotate() },
          { label: t.remove, isDangerous: true, run: () => void remove() },
        ]}
      />
      {secret !== undefined && (
        <SecretDialog
          title={t.secretTitle}
          label={t.secret}
          secret={secret}
          hint={t.secretHint}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}
