/** A broker's address and credentials; for a new broker or an existing one. */

import commonTexts from 'texts:common';
import connectionsTexts from 'texts:connections';
import { NumberInput, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ask } from '../../../api/client.ts';
import { useHome } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { EntityDialog } from '../../../ui/entity-dialog.tsx';
import { numberIn } from '../../../ui/number-in.ts';
import { AddBroker, type Broker, UpdateBroker } from './mqtt-documents.ts';

/** What is known of a broker that is to be added. */
export interface BrokerDraft {
  readonly name: string;
  readonly host: string;
  readonly port: number | string;
  readonly useTls: boolean;
}

interface BrokerDialogProps {
  /** The broker to edit; none to add one. */
  readonly broker?: Broker;
  readonly draft?: BrokerDraft;
  readonly onClose: () => void;
}

const PORT = 1883;
const TLS_PORT = 8883;
const TOPIC_PREFIX = 'homecast';
const DISCOVERY_PREFIX = 'homeassistant';

type BrokerValues = ReturnType<typeof valuesOf>;

function valuesOf(broker: Broker | undefined, draft?: BrokerDraft) {
  return {
    name: broker?.name ?? '',
    host: broker?.host ?? '',
    port: (broker?.port ?? '') as number | string,
    useTls: broker?.useTls ?? false,
    ca: broker?.ca ?? '',
    username: broker?.username ?? '',
    password: '',
    topicPrefix: broker?.topicPrefix ?? TOPIC_PREFIX,
    haDiscovery: broker?.haDiscovery ?? true,
    haDiscoveryPrefix: broker?.haDiscoveryPrefix ?? DISCOVERY_PREFIX,
    ...draft,
  };
}

/** What is not shown keeps its value at the relay. */
function argumentsOf({ password, ca, haDiscoveryPrefix, ...values }: BrokerValues) {
  const { useTls, haDiscovery } = values;
  return {
    name: values.name.trim(),
    host: values.host.trim(),
    port: numberIn(values.port) ?? (useTls ? TLS_PORT : PORT),
    useTls,
    username: values.username.trim(),
    topicPrefix: values.topicPrefix.trim() || TOPIC_PREFIX,
    haDiscovery,
    ...(useTls && { ca: ca.trim() }),
    ...(haDiscovery && { haDiscoveryPrefix: haDiscoveryPrefix.trim() || DISCOVERY_PREFIX }),
    ...(password !== '' && { password }),
  };
}

export function BrokerDialog({ broker, draft, onClose }: BrokerDialogProps) {
  const { mqtt: t } = useTexts(connectionsTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  return (
    <EntityDialog
      title={broker ? t.editTitle : t.addTitle}
      action={broker ? common.save : t.add}
      initialValues={valuesOf(broker, draft)}
      subjects={['mqtt']}
      onSubmit={async (values) => {
        const fields = argumentsOf(values);
        await (broker ? ask(UpdateBroker, { brokerId: broker.id, ...fields }) : ask(AddBroker, { homeId, ...fields }));
      }}
      onClose={onClose}
      size="lg"
    >
      {(form) => (
        <>
          <TextInput label={t.name} required data-autofocus {...form.getInputProps('name')} />
          <ConnectionFields form={form} hasPassword={broker?.hasPassword ?? false} />
          <TextInput label={t.prefix} {...form.getInputProps('topicPrefix')} />
          <Switch
            label={t.discovery}
            description={t.discoveryHint}
            {...form.getInputProps('haDiscovery', { type: 'checkbox' })}
          />
          {form.values.haDiscovery && (
            <TextInput label={t.discoveryPrefix} {...form.getInputProps('haDiscoveryPrefix')} />
          )}
        </>
      )}
    </EntityDialog>
  );
}

interface ConnectionFieldsProps {
  readonly form: UseFormReturnType<BrokerValues>;
  readonly hasPassword: boolean;
}

function ConnectionFields({ form, hasPassword }: ConnectionFieldsProps) {
  const { mqtt: t } = useTexts(connectionsTexts);
  const { useTls } = form.values;
  return (
    <>
      <TextInput label={t.host} description={t.hostHint} required {...form.getInputProps('host')} />
      <NumberInput
        label={t.port}
        placeholder={String(useTls ? TLS_PORT : PORT)}
        min={1}
        max={65535}
        allowDecimal={false}
        thousandSeparator=""
        {...form.getInputProps('port')}
      />
      <Switch label={t.tls} description={t.tlsHint} {...form.getInputProps('useTls', { type: 'checkbox' })} />
      {useTls && (
        <Textarea
          label={t.ca}
          description={t.caHint}
          autosize
          minRows={3}
          maxRows={8}
          spellCheck={false}
          {...form.getInputProps('ca')}
        />
      )}
      <TextInput label={t.username} autoComplete="off" {...form.getInputProps('username')} />
      <PasswordInput
        label={t.password}
        description={hasPassword ? t.passwordKeep : undefined}
        autoComplete="new-password"
        {...form.getInputProps('password')}
      />
    </>
  );
}
