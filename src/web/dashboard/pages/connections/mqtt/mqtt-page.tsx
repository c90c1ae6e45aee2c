/** MQTT publishing: on or off, and the brokers with their status. */

import commonTexts from 'texts:common';
import connectionsTexts from 'texts:connections';
import type { Catalogues } from 'texts:types';
import { Button, Switch } from '@mantine/core';
import { RadioTower } from 'lucide-react';
import { useState } from 'react';
import { act, ask } from '../../../api/client.ts';
import { present } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useHome, useRights } from '../../../home/use-home.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { useAsked } from '../../../ui/asked.ts';
import { attempt } from '../../../ui/attempt.ts';
import { Columns } from '../../../ui/columns.tsx';
import { confirm } from '../../../ui/confirm.ts';
import { ActsMenu, Badge, Entries, Entry, Hint, type MenuAct, Steps, type Tone } from '../../../ui/entries.tsx';
import { Answer, EmptyState, Section } from '../../../ui/page.tsx';
import { TimeAgo } from '../../../ui/time-ago.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { ConnectionFrame } from '../connection-frame.tsx';
import { BrokerDialog, type BrokerDraft } from './broker-dialog.tsx';
import { FoundBrokers } from './found-brokers.tsx';
import { type Broker, MqttQuery, RemoveBroker, SetMqttEnabled, TestBroker, UpdateBroker } from './mqtt-documents.ts';

/** No live event reports broker connections. */
const ASK_EVERY_MS = 3_000;

const TONES: Readonly<Record<string, Tone>> = { connected: 'good', connecting: 'note', error: 'bad' };

export function MqttPage() {
  const { mqtt: t, cards } = useTexts(connectionsTexts);
  const { canManage } = useRights();
  return (
    <ConnectionFrame title={cards.mqtt.title} lead={t.lead}>
      {canManage ? <Brokers /> : <Hint>{t.onlyManagers}</Hint>}
    </ConnectionFrame>
  );
}

function Brokers() {
  const { mqtt: t } = useTexts(connectionsTexts);
  const { id: homeId } = useHome();
  const [opened, setOpened] = useState<{ readonly broker?: Broker; readonly draft?: BrokerDraft }>();
  useAsked(() => setOpened({}));
  const query = useApiQuery(MqttQuery, { homeId }, { subjects: ['mqtt'], everyMs: ASK_EVERY_MS });
  const add = <Button onClick={() => setOpened({})}>{t.add}</Button>;
  const setEnabled = (enabled: boolean) => attempt(() => act(SetMqttEnabled, { homeId, enabled }), 'mqtt');
  return (
    <>
      <Answer query={query}>
        {({ homeMqttStatus: status }) => {
          const brokers = present(status?.brokers);
          const found = <FoundBrokers isFirst={brokers.length === 0} onChoose={(draft) => setOpened({ draft })} />;
          if (brokers.length === 0) {
            return (
              <Columns second={found}>
                <EmptyState icon={<RadioTower size={32} />} title={t.emptyTitle} action={add}>
                  <p>{t.empty}</p>
                  <Steps>
                    <li>{t.step1}</li>
                    <li>{t.step2}</li>
                    <li>{t.step3}</li>
                  </Steps>
                </EmptyState>
              </Columns>
            );
          }
          return (
            <Columns second={found}>
              <Section>
                <Switch
                  label={t.enabled}
                  description={t.enabledHint}
                  checked={status?.enabled ?? false}
                  onChange={({ currentTarget }) => void setEnabled(currentTarget.checked)}
                />
              </Section>
              <Section title={t.brokers} actions={add}>
                <Entries label={t.brokers}>
                  {brokers.map((broker) => (
                    <BrokerEntry key={broker.id} broker={broker} onEdit={() => setOpened({ broker })} />
                  ))}
                </Entries>
              </Section>
            </Columns>
          );
        }}
      </Answer>
      {opened && <BrokerDialog {...opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function BrokerEntry({ broker, onEdit }: { readonly broker: Broker; readonly onEdit: () => void }) {
  const texts = useTexts(connectionsTexts);
  const { mqtt: t } = texts;
  const { name, host, port, status, error, fault, connectedAt, isConfigured } = broker;
  return (
    <Entry
      icon={<RadioTower />}
      name={name}
      badges={
        <>
          <Badge tone={TONES[status] ?? 'neutral'}>{t.status[status as keyof typeof t.status] ?? status}</Badge>
          {isConfigured && <Badge>{t.configured}</Badge>}
        </>
      }
      menu={<BrokerMenu broker={broker} onEdit={onEdit} />}
    >
      <bdi>
        {host}:{port}
      </bdi>
      {broker.useTls && ' · TLS'}
      {status === 'connected' && connectedAt !== null && (
        <>
          {' · '}
          <TimeAgo at={connectedAt} />
        </>
      )}
      {error !== null && (
        <>
          <br />
          {faultText(error, fault, t.faults)}
        </>
      )}
    </Entry>
  );
}

type Faults = Catalogues['connections']['mqtt']['faults'];

/** How to resolve the error; the relay's own message if it is more specific than the general text. */
function faultText(error: string, fault: string | null, texts: Faults): string {
  if (fault === null || !Object.hasOwn(texts, fault)) return error;
  const text = texts[fault as keyof Faults];
  return typeof text === 'string' ? text : text({ why: error });
}

function BrokerMenu({ broker, onEdit }: { readonly broker: Broker; readonly onEdit: () => void }) {
  const texts = useTexts(connectionsTexts);
  const { mqtt: t } = texts;
  const common = useTexts(commonTexts);
  const format = useFormat();
  const { id: brokerId, name, enabled } = broker;
  const test = async () => {
    showToast({ text: t.testing });
    const done = await attempt(() => act(TestBroker, { brokerId }), 'mqtt');
    const { responseTimeMs } = done?.testHomeMqttBroker ?? {};
    if (done) showToast({ text: t.testOk({ name, ms: format.duration(responseTimeMs ?? 0) }) });
  };
  const remove = async () => {
    const question = { title: t.removeTitle({ name }), body: t.removeText, action: t.remove, isDangerous: true };
    if (await confirm(question)) await attempt(() => act(RemoveBroker, { brokerId }), 'mqtt');
  };
  const toggle = () => attempt(() => ask(UpdateBroker, { brokerId, enabled: !enabled }), 'mqtt');
  const acts: readonly MenuAct[] = [
    { label: t.test, run: () => void test() },
    { label: common.edit, run: onEdit },
    { label: enabled ? t.turnOff : t.turnOn, run: () => void toggle() },
    { label: t.remove, isDangerous: true, run: () => void remove() },
  ];
  // A broker from the configuration file is changed there.
  return <ActsMenu label={texts.actsFor({ name })} acts={broker.isConfigured ? acts.slice(0, 1) : acts} />;
}
