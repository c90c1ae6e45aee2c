/** Creates a webhook and shows its secret once, or edits one. */
import commonTexts from 'texts:common';
import connectionsTexts from 'texts:connections';
import { Checkbox, MultiSelect, NumberInput, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import {
  MAX_WEBHOOK_NAME_LENGTH,
  WEBHOOK_DEFAULTS,
  WEBHOOK_RATE,
  WEBHOOK_RETRIES,
  WEBHOOK_TIMEOUT_MS,
} from '../../../../../home/vocabulary/limits.ts';
import { useDeveloperMode } from '../../../account/developer-mode.ts';
import { act } from '../../../api/client.ts';
import { present } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useTexts } from '../../../texts/texts.ts';
import { EntityDialog } from '../../../ui/entity-dialog.tsx';
import { Hint, Note } from '../../../ui/entries.tsx';
import { numberIn } from '../../../ui/number-in.ts';
import { Answer } from '../../../ui/page.tsx';
import classes from '../connections.module.css';
import { CreateWebhook, UpdateWebhook, type Webhook, WebhookChoicesQuery } from '../documents.ts';
import { SecretDialog } from '../secret-dialog.tsx';
import { type EventScope, eventTypesOf, isEverything, scopeChoices } from './webhook-draft.ts';

interface WebhookDialogProps {
  /** The webhook to edit; none to create one. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
}

const SECOND_MS = 1000;

type WebhookValues = ReturnType<typeof valuesOf>;

function valuesOf(webhook: Webhook | undefined) {
  const { homeIds = [], roomIds = [], accessoryIds = [], collectionIds = [] } = webhook ?? {};
  return {
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    eventTypes: webhook?.eventTypes ?? ['*'],
    ...{ homeIds, roomIds, accessoryIds, collectionIds },
    maxRetries: (webhook?.maxRetries ?? WEBHOOK_DEFAULTS.maxRetries) as number | string,
    rateLimitPerMinute: (webhook ? (webhook.rateLimitPerMinute ?? '') : WEBHOOK_DEFAULTS.rateLimitPerMinute) as
      | number
      | string,
    /** In seconds. */
    timeoutMs: ((webhook?.timeoutMs ?? WEBHOOK_DEFAULTS.timeoutMs) / SECOND_MS) as number | string,
  };
}

export function WebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const { webhooks: t, gate } = useTexts(connectionsTexts);
  const { isOn, turnOn } = useDeveloperMode();
  const common = useTexts(commonTexts);
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) {
    const texts = { title: t.secretTitle, label: t.secret, hint: t.secretHint };
    return <SecretDialog {...texts} secret={secret} onClose={onClose} />;
  }
  const save = async (values: WebhookValues) => {
    const fields = {
      ...values,
      name: values.name.trim(),
      url: values.url.trim(),
      eventTypes: eventTypesOf(values.eventTypes),
      maxRetries: numberIn(values.maxRetries) ?? WEBHOOK_DEFAULTS.maxRetries,
      rateLimitPerMinute: numberIn(values.rateLimitPerMinute),
      timeoutMs: (numberIn(values.timeoutMs) ?? WEBHOOK_DEFAULTS.timeoutMs / SECOND_MS) * SECOND_MS,
    };
    if (webhook) {
      await act(UpdateWebhook, { webhookId: webhook.id, ...fields });
      return undefined;
    }
    await turnOn();
    const { createWebhook } = await act(CreateWebhook, fields);
    setSecret(createWebhook?.rawSecret ?? undefined);
    return 'stay';
  };
  return (
    <EntityDialog
      title={webhook ? t.editTitle : t.createTitle}
      action={webhook ? common.save : t.create}
      initialValues={valuesOf(webhook)}
      subjects={['webhooks']}
      onSubmit={save}
      onClose={onClose}
      isIncomplete={({ eventTypes }) => eventTypes.length === 0}
      size="lg"
    >
      {(form) => (
        <>
          {!isOn && <Note>{gate.turnsOn}</Note>}
          <TextInput
            label={t.name}
            required
            data-autofocus
            maxLength={MAX_WEBHOOK_NAME_LENGTH}
            {...form.getInputProps('name')}
          />
          <TextInput type="url" label={t.url} description={t.urlHint} required {...form.getInputProps('url')} />
          <Choices form={form} />
          <DeliveryFields form={form} />
        </>
      )}
    </EntityDialog>
  );
}

interface FieldsProps {
  readonly form: UseFormReturnType<WebhookValues>;
}

function DeliveryFields({ form }: FieldsProps) {
  const { webhooks: t } = useTexts(connectionsTexts);
  return (
    <fieldset className={classes.fieldset}>
      <legend>{t.delivery}</legend>
      <SimpleGrid minColWidth="min(100%, 150px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'end' }}>
        <NumberInput
          label={t.retries}
          min={WEBHOOK_RETRIES.from}
          max={WEBHOOK_RETRIES.to}
          allowDecimal={false}
          {...form.getInputProps('maxRetries')}
        />
        <NumberInput
          label={t.timeout}
          min={WEBHOOK_TIMEOUT_MS.from / SECOND_MS}
          max={WEBHOOK_TIMEOUT_MS.to / SECOND_MS}
          {...form.getInputProps('timeoutMs')}
        />
        <NumberInput
          label={t.rate}
          min={WEBHOOK_RATE.from}
          max={WEBHOOK_RATE.to}
          allowDecimal={false}
          {...form.getInputProps('rateLimitPerMinute')}
        />
      </SimpleGrid>
      <Hint>{t.rateHint}</Hint>
    </fieldset>
  );
}

function Choices({ form }: FieldsProps) {
  const { webhooks: t } = useTexts(connectionsTexts);
  const choices = useApiQuery(WebhookChoicesQuery, {}, { subjects: ['inventory', 'groups'] });
  const hasAll = isEverything(form.values.eventTypes);
  return (
    <Answer query={choices}>
      {(data) => (
        <>
          <Radio.Group
            label={t.events}
            value={hasAll ? 'all' : 'some'}
            onChange={(choice) => form.setFieldValue('eventTypes', choice === 'all' ? ['*'] : [])}
          >
            <Stack gap="sm" mt="xs">
              <Radio value="all" label={t.everything} />
              <Radio value="some" label={t.some} />
            </Stack>
          </Radio.Group>
          {!hasAll && (
            <Checkbox.Group aria-label={t.events} {...form.getInputProps('eventTypes')}>
              <Stack gap="sm">
                {present(data.webhookEventTypes).map(({ eventType, description }) => (
                  <Checkbox key={eventType} value={eventType} label={eventType} description={description} />
                ))}
              </Stack>
            </Checkbox.Group>
          )}
          <fieldset className={classes.fieldset}>
            <legend>{t.scope}</legend>
            <Hint>{t.scopeHint}</Hint>
            {scopeChoices(present(data.homes), present(data.collections)).map(({ field, options }) => (
              <MultiSelect
                key={field}
                label={t[WORDS[field]]}
                data={options}
                searchable
                clearable
                comboboxProps={{ withinPortal: true }}
                {...form.getInputProps(field)}
              />
            ))}
          </fieldset>
        </>
      )}
    </Answer>
  );
}

const WORDS = {
  homeIds: 'homes',
  roomIds: 'rooms',
  accessoryIds: 'accessories',
  collectionIds: 'collections',
} as const satisfies Readonly<Record<keyof EventScope, string>>;
