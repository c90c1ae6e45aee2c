/** Creates a webhook and shows its secret once, or edits one. */
import commonTexts from 'texts:common';
import developerTexts from 'texts:developer';
import { Checkbox, MultiSelect, NumberInput, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { act } from '../../api/client.ts';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useTexts } from '../../texts/texts.ts';
import { Hint } from '../../ui/entries.tsx';
import { FormDialog, textIn } from '../../ui/form-dialog.tsx';
import { Answer } from '../../ui/page.tsx';
import classes from './developer-page.module.css';
import { CreateWebhook, UpdateWebhook, type Webhook, WebhookChoicesQuery } from './documents.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { eventTypesOf, isEverything, numberIn, type Scope, scopeChoices } from './webhook-draft.ts';

interface WebhookDialogProps {
  /** The webhook to edit; none to create one. */
  readonly webhook?: Webhook;
  readonly onClose: () => void;
}

const DEFAULTS = { maxRetries: 3, rateLimitPerMinute: 60, timeoutMs: 30_000 } as const;
const SECOND_MS = 1000;

export function WebhookDialog({ webhook, onClose }: WebhookDialogProps) {
  const { webhooks: t } = useTexts(developerTexts);
  const common = useTexts(commonTexts);
  const [eventTypes, setEventTypes] = useState<readonly string[]>(webhook?.eventTypes ?? ['*']);
  const [scope, setScope] = useState<Scope>({
    homeIds: webhook?.homeIds ?? [],
    roomIds: webhook?.roomIds ?? [],
    accessoryIds: webhook?.accessoryIds ?? [],
    collectionIds: webhook?.collectionIds ?? [],
  });
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined) {
    const texts = { title: t.secretTitle, label: t.secret, hint: t.secretHint };
    return <SecretDialog {...texts} secret={secret} onClose={onClose} />;
  }
  const save = async (form: FormData) => {
    const fields = {
      name: textIn(form, 'name'),
      url: textIn(form, 'url'),
      eventTypes: eventTypesOf(eventTypes),
      ...scope,
      maxRetries: numberIn(form, 'maxRetries') ?? DEFAULTS.maxRetries,
      rateLimitPerMinute: numberIn(form, 'rate'),
      timeoutMs: (numberIn(form, 'timeout') ?? DEFAULTS.timeoutMs / SECOND_MS) * SECOND_MS,
    };
    if (webhook) {
      await act(UpdateWebhook, { webhookId: webhook.id, ...fields });
      return undefined;
    }
    const { createWebhook } = await act(CreateWebhook, fields);
    setSecret(createWebhook?.rawSecret ?? undefined);
    return 'stay';
  };
  return (
    <FormDialog
      title={webhook ? t.editTitle : t.createTitle}
      action={webhook ? common.save : t.create}
      subjects={['webhooks']}
      onSubmit={save}
      onClose={onClose}
      isIncomplete={eventTypes.length === 0}
      size="lg"
    >
      <TextInput name="name" label={t.name} defaultValue={webhook?.name} required maxLength={100} size="md" />
      <TextInput
        name="url"
        type="url"
        label={t.url}
        description={t.urlHint}
        defaultValue={webhook?.url}
        required
        size="md"
      />
      <Choices eventTypes={eventTypes} onEventTypes={setEventTypes} scope={scope} onScope={setScope} />
      <fieldset className={classes.fieldset}>
        <legend>{t.delivery}</legend>
        <SimpleGrid minColWidth="min(100%, 150px)" autoFlow="auto-fit" spacing={12} style={{ alignItems: 'end' }}>
          <NumberInput
            name="maxRetries"
            label={t.retries}
            defaultValue={webhook?.maxRetries ?? DEFAULTS.maxRetries}
            min={0}
            max={10}
            allowDecimal={false}
            size="md"
          />
          <NumberInput
            name="timeout"
            label={t.timeout}
            defaultValue={(webhook?.timeoutMs ?? DEFAULTS.timeoutMs) / SECOND_MS}
            min={1}
            max={120}
            size="md"
          />
          <NumberInput
            name="rate"
            label={t.rate}
            defaultValue={webhook ? (webhook.rateLimitPerMinute ?? '') : DEFAULTS.rateLimitPerMinute}
            min={1}
            max={1000}
            allowDecimal={false}
            size="md"
          />
        </SimpleGrid>
        <Hint>{t.rateHint}</Hint>
      </fieldset>
    </FormDialog>
  );
}

interface ChoicesProps {
  readonly eventTypes: readonly string[];
  readonly onEventTypes: (eventTypes: readonly string[]) => void;
  readonly scope: Scope;
  readonly onScope: (scope: Scope) => void;
}

function Choices({ eventTypes, onEventTypes, scope, onScope }: ChoicesProps) {
  const { webhooks: t } = useTexts(developerTexts);
  const choices = useApiQuery(WebhookChoicesQuery, {}, { subjects: ['house', 'groups'] });
  const hasAll = isEverything(eventTypes);
  return (
    <Answer query={choices}>
      {(data) => {
        const lists = scopeChoices(present(data.homes), present(data.collections));
        return (
          <>
            <Radio.Group
              label={t.events}
              value={hasAll ? 'all' : 'some'}
              onChange={(choice) => onEventTypes(choice === 'all' ? ['*'] : [])}
            >
              <Stack gap="sm" mt="xs">
                <Radio value="all" label={t.everything} />
                <Radio value="some" label={t.some} />
              </Stack>
            </Radio.Group>
            {!hasAll && (
              <Checkbox.Group aria-label={t.events} value={[...eventTypes]} onChange={onEventTypes}>
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
              {lists.map(({ field, options }) => (
                <MultiSelect
                  key={field}
                  label={t[WORDS[field]]}
                  data={options}
                  value={scope[field]}
                  onChange={(ids) => onScope({ ...scope, [field]: ids })}
                  searchable
                  clearable
                  comboboxProps={{ withinPortal: true }}
                  size="md"
                />
              ))}
            </fieldset>
          </>
        );
      }}
    </Answer>
  );
}

const WORDS = {
  homeIds: 'homes',
  roomIds: 'rooms',
  accessoryIds: 'accessories',
  collectionIds: 'collections',
} as const satisfies Readonly<Record<keyof Scope, string>>;
