/**
 * Brokers and Home Assistant that announce themselves on the network, to add one without typing its address. The relay
 * searches while this is on the page and only when asked: at once for the first broker of a home.
 */
import connectionsTexts from 'texts:connections';
import { Button, Text } from '@mantine/core';
import { House, RadioTower } from 'lucide-react';
import { useEffect } from 'react';
import { present, type ResultOf } from '../../../api/graphql.ts';
import { useApiMutation } from '../../../api/query.ts';
import { useHome } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Badge, Entries, Entry } from '../../../ui/entries.tsx';
import { ErrorNotice, Loading, Section } from '../../../ui/page.tsx';
import classes from '../connections.module.css';
import type { BrokerDraft } from './broker-dialog.tsx';
import { DiscoverBrokers } from './mqtt-documents.ts';

type Service = NonNullable<NonNullable<ResultOf<typeof DiscoverBrokers>['discoverHomeMqttBrokers']>[number]>;

interface FoundBrokersProps {
  /** The home has no broker yet. */
  readonly isFirst: boolean;
  readonly onChoose: (draft: BrokerDraft) => void;
}

export function FoundBrokers({ isFirst, onChoose }: FoundBrokersProps) {
  const { found: t } = useTexts(connectionsTexts).mqtt;
  const { id: homeId } = useHome();
  const { mutate, data, error, isPending } = useApiMutation(DiscoverBrokers, { subjects: [] });
  useEffect(() => {
    if (isFirst) mutate({ homeId });
  }, [isFirst, homeId, mutate]);
  const again = (
    <Button variant="default" disabled={isPending} onClick={() => mutate({ homeId })}>
      {data || error ? t.again : t.search}
    </Button>
  );
  const services = data && present(data.discoverHomeMqttBrokers);
  return (
    <Section title={t.title} lead={t.lead} actions={again}>
      <div className={classes.status} aria-live="polite">
        {isPending && <Loading label={t.searching} />}
        {error && <ErrorNotice error={error} />}
        {!isPending && services && <Found services={services} onChoose={onChoose} />}
      </div>
    </Section>
  );
}

interface FoundProps extends Pick<FoundBrokersProps, 'onChoose'> {
  readonly services: readonly Service[];
}

function Found({ services, onChoose }: FoundProps) {
  const { found: t } = useTexts(connectionsTexts).mqtt;
  const brokers = services.filter(({ kind }) => kind !== 'home_assistant');
  // Whose broker is there already needs no advice on how to install one.
  const assistants = services.filter(
    ({ kind, host }) => kind === 'home_assistant' && !brokers.some((broker) => broker.host === host),
  );
  if (brokers.length + assistants.length === 0) return <Text c="dimmed">{t.nothing}</Text>;
  return (
    <Entries label={t.title}>
      {brokers.map(({ kind, name, host, port, isAdded }) => {
        const useTls = kind === 'secure_mqtt';
        const choose = () => onChoose({ name, host, port, useTls });
        return (
          <Entry
            key={`${host} ${port}`}
            icon={<RadioTower />}
            name={name}
            badges={isAdded && <Badge tone="good">{t.added}</Badge>}
            actions={!isAdded && <Choose label={t.addOf({ name })} text={t.add} onClick={choose} />}
          >
            <Address host={host} port={port} />
            {useTls && ' · TLS'}
          </Entry>
        );
      })}
      {assistants.map(({ name, host }) => (
        <Entry
          key={host}
          icon={<House />}
          name={t.assistant({ name })}
          actions={
            <Choose
              label={t.useOf({ name })}
              text={t.use}
              onClick={() => onChoose({ name: 'Home Assistant', host, port: '', useTls: false })}
            />
          }
        >
          {t.assistantHow({ host })}
        </Entry>
      ))}
    </Entries>
  );
}

function Choose({ label, text, onClick }: { readonly label: string; readonly text: string; onClick(): void }) {
  return (
    <Button variant="default" aria-label={label} onClick={onClick}>
      {text}
    </Button>
  );
}

function Address({ host, port }: { readonly host: string; readonly port: number }) {
  return <bdi>{host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`}</bdi>;
}
