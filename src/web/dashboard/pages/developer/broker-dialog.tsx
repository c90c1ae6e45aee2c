/** A broker's address and credentials; for a new broker or an existing one. */

import commonTexts from 'texts:common';
import developerTexts from 'texts:developer';
import { NumberInput, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ask } from '../../api/client.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { FormDialog, textIn } from '../../ui/form-dialog.tsx';
import { AddBroker, type Broker, UpdateBroker } from './mqtt-documents.ts';
import { numberIn } from './webhook-draft.ts';

interface BrokerDialogProps {
  /** The broker to edit; none to add one. */
  readonly broker?: Broker;
  readonly onClose: () => void;
}

const PORT = 1883;
const TLS_PORT = 8883;
const TOPIC_PREFIX = 'homecast';
const DISCOVERY_PREFIX = 'homeassistant';

export function BrokerDialog({ broker, onClose }: BrokerDialogProps) {
  const { mqtt: t } = useTexts(developerTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const [useTls, setUseTls] = useState(broker?.useTls ?? false);
  const [haDiscovery, setDiscovery] = useState(broker?.haDiscovery ?? true);
  const save = (form: FormData) => {
    const password = String(form.get('password') ?? '');
    const fields = {
      name: textIn(form, 'name'),
      host: textIn(form, 'host'),
      port: numberIn(form, 'port') ?? (useTls ? TLS_PORT : PORT),
      useTls,
      username: textIn(form, 'username'),
      topicPrefix: textIn(form, 'topicPrefix') || TOPIC_PREFIX,
      haDiscovery,
      ...(useTls && { ca: textIn(form, 'ca') }),
      ...(haDiscovery && { haDiscoveryPrefix: textIn(form, 'haDiscoveryPrefix') || DISCOVERY_PREFIX }),
      ...(password !== '' && { password }),
    };
    return broker ? ask(UpdateBroker, { brokerId: broker.id, ...fields }) : ask(AddBroker, { homeId, ...fields });
  };
  return (
    <FormDialog
      title={broker ? t.editTitle : t.addTitle}
      action={broker ? common.save : t.add}
      subjects={['mqtt']}
      onSubmit={async (form) => {
        await save(form);
      }}
      onClose={onClose}
      size="lg"
    >
      <TextInput name="name" label={t.name} defaultValue={broker?.name} required data-autofocus size="md" />
      <TextInput name="host" label={t.host} description={t.hostHint} defaultValue={broker?.host} required size="md" />
      <NumberInput
        name="port"
        label={t.port}
        defaultValue={broker?.port ?? ''}
        placeholder={String(useTls ? TLS_PORT : PORT)}
        min={1}
        max={65535}
        allowDecimal={false}
        thousandSeparator=""
        size="md"
      />
      <Switch
        label={t.tls}
        description={t.tlsHint}
        checked={useTls}
        onChange={({ currentTarget }) => setUseTls(currentTarget.checked)}
      />
      {useTls && (
        <Textarea
          name="ca"
          label={t.ca}
          description={t.caHint}
          defaultValue={broker?.ca ?? ''}
          autosize
          minRows={3}
          maxRows={8}
          spellCheck={false}
          size="md"
        />
      )}
      <TextInput
        name="username"
        label={t.username}
        defaultValue={broker?.username ?? ''}
        autoComplete="off"
        size="md"
      />
      <PasswordInput
        name="password"
        label={t.password}
        description={broker?.hasPassword ? t.passwordKeep : undefined}
        autoComplete="new-password"
        size="md"
      />
      <TextInput name="topicPrefix" label={t.prefix} defaultValue={broker?.topicPrefix ?? TOPIC_PREFIX} size="md" />
      <Switch
        label={t.discovery}
        description={t.discoveryHint}
        checked={haDiscovery}
        onChange={({ currentTarget }) => setDiscovery(currentTarget.checked)}
      />
      {haDiscovery && (
        <TextInput
          name="haDiscoveryPrefix"
          label={t.discoveryPrefix}
          defaultValue={broker?.haDiscoveryPrefix ?? DISCOVERY_PREFIX}
          size="md"
        />
      )}
    </FormDialog>
  );
}
