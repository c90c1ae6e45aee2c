/** The people who live in the home and their presence: from their phones, or set manually. */

import commonTexts from 'texts:common';
import peopleTexts from 'texts:people';
import { Button, SegmentedControl } from '@mantine/core';
import { UserRound } from 'lucide-react';
import { useState } from 'react';
import { act, ask } from '../../api/client.ts';
import { present, type ResultOf } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { attempt } from '../../ui/attempt.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { confirm } from '../../ui/confirm.ts';
import { ActsMenu, Badge, Entries, Entry, type MenuAct } from '../../ui/entries.tsx';
import { Answer, EmptyState, Section } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { CreatePerson, DeletePerson, PersonsQuery, RenamePerson, SetPresence } from './documents.ts';
import { NameDialog } from './name-dialog.tsx';
import { PhoneDialog } from './phone-dialog.tsx';

export type Person = NonNullable<NonNullable<ResultOf<typeof PersonsQuery>['people']>[number]>;

type OpenedPerson = { readonly what: 'create' } | { readonly what: 'rename' | 'phone'; readonly person: Person };

export function PersonsSection() {
  const t = useTexts(peopleTexts);
  const { id: homeId } = useHome();
  const { canManage } = useRights();
  const [opened, setOpened] = useState<OpenedPerson>();
  const persons = useApiQuery(PersonsQuery, { homeId }, { subjects: ['people'] });
  const add = canManage && <Button onClick={() => setOpened({ what: 'create' })}>{t.persons.add}</Button>;
  return (
    <Section title={t.persons.title} lead={t.persons.lead} actions={add}>
      <Answer query={persons}>
        {({ people }) => {
          const all = present(people);
          if (all.length === 0) {
            return (
              <EmptyState icon={<UserRound size={32} />} title={t.persons.emptyTitle}>
                {t.persons.empty}
              </EmptyState>
            );
          }
          return (
            <Entries label={t.persons.list}>
              {all.map((person) => (
                <PersonEntry key={person.id} person={person} onOpen={setOpened} />
              ))}
            </Entries>
          );
        }}
      </Answer>
      {opened && <OpenedDialog opened={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}

function OpenedDialog({ opened, onClose }: { readonly opened: OpenedPerson; readonly onClose: () => void }) {
  const { persons: t } = useTexts(peopleTexts);
  const { id: homeId } = useHome();
  if (opened.what === 'phone') return <PhoneDialog name={opened.person.name} onClose={onClose} />;
  const rest = { hint: t.nameHint, subjects: ['people'] as const, onClose };
  if (opened.what === 'create') {
    const create = (name: string) => ask(CreatePerson, { homeId, name });
    return <NameDialog {...rest} title={t.createTitle} onSubmit={create} />;
  }
  const { id: personId, name } = opened.person;
  const rename = (next: string) => ask(RenamePerson, { homeId, personId, name: next });
  return <NameDialog {...rest} title={t.renameTitle} name={name} onSubmit={rename} />;
}

function PersonEntry({ person, onOpen }: { readonly person: Person; readonly onOpen: (opened: OpenedPerson) => void }) {
  const t = useTexts(peopleTexts);
  const { canControl } = useRights();
  const { name, atHome, changedAt } = person;
  return (
    <Entry
      icon={<Avatar name={name} />}
      name={name}
      badges={
        <Badge tone={atHome ? 'good' : 'neutral'}>
          {atHome === null ? t.persons.unknown : atHome ? t.persons.atHome : t.persons.away}
        </Badge>
      }
      actions={canControl && <PresenceField person={person} />}
      menu={<PersonMenu person={person} onOpen={onOpen} />}
    >
      {changedAt === null ? t.persons.noInformation : <TimeAgo at={changedAt} />}
    </Entry>
  );
}

function PresenceField({ person: { id: personId, name, atHome } }: { readonly person: Person }) {
  const { persons: t } = useTexts(peopleTexts);
  const { id: homeId } = useHome();
  const set = (word: string) =>
    attempt(() => ask(SetPresence, { homeId, personId, atHome: word === 'home' }), 'people');
  return (
    <SegmentedControl
      aria-label={t.stateOf({ name })}
      value={atHome === null ? '' : atHome ? 'home' : 'away'}
      onChange={(word) => void set(word)}
      data={[
        { value: 'home', label: t.atHome },
        { value: 'away', label: t.away },
      ]}
    />
  );
}

function PersonMenu({ person, onOpen }: { readonly person: Person; readonly onOpen: (opened: OpenedPerson) => void }) {
  const t = useTexts(peopleTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const { canManage } = useRights();
  const { id: personId, name } = person;
  const remove = async () => {
    const { removeTitle, removeText: body } = t.persons;
    if (!(await confirm({ title: removeTitle({ name }), body, action: common.remove, isDangerous: true }))) return;
    await attempt(() => act(DeletePerson, { homeId, personId }), 'people');
  };
  const acts: readonly MenuAct[] = [
    { label: t.persons.connect, run: () => onOpen({ what: 'phone', person }) },
    { label: common.rename, run: () => onOpen({ what: 'rename', person }) },
    { label: common.remove, isDangerous: true, run: () => void remove() },
  ];
  return <ActsMenu label={t.actsFor({ name })} acts={canManage ? acts : acts.slice(0, 1)} />;
}
