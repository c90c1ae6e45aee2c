/** Phones that report where their owners are: the people of the home, each with the set-up of their phone. */
import connectionsTexts from 'texts:connections';
import peopleTexts from 'texts:people';
import { Button } from '@mantine/core';
import { Plus, UserRound } from 'lucide-react';
import { useState } from 'react';
import { ask } from '../../api/client.ts';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Columns } from '../../ui/columns.tsx';
import { Entries, Entry } from '../../ui/entries.tsx';
import { Answer, EmptyState, Section } from '../../ui/page.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { CreatePerson, PersonsQuery } from '../people/documents.ts';
import { NameDialog } from '../people/name-dialog.tsx';
import { PhoneDialog } from '../people/phone-dialog.tsx';
import { ConnectionFrame } from './connection-frame.tsx';
import { HowSection } from './how-section.tsx';

export function PhonesPage() {
  const { phones: t } = useTexts(connectionsTexts);
  const { persons: words } = useTexts(peopleTexts);
  const { id: homeId } = useHome();
  const { canManage } = useRights();
  const [isAdding, setAdding] = useState(false);
  const [connecting, setConnecting] = useState<string>();
  const persons = useApiQuery(PersonsQuery, { homeId }, { subjects: ['people'] });
  const add = canManage && (
    <Button leftSection={<Plus size={18} aria-hidden />} onClick={() => setAdding(true)}>
      {words.add}
    </Button>
  );
  /** The new person's phone is what the user is here for. */
  const create = async (name: string): Promise<void> => {
    await ask(CreatePerson, { homeId, name });
    setConnecting(name);
  };
  return (
    <ConnectionFrame title={t.title} lead={t.lead} actions={add}>
      <Columns second={<HowSection title={t.how} steps={[t.step1, t.step2, t.step3]} />}>
        <Answer query={persons}>
          {({ people }) =>
            present(people).length === 0 ? (
              <EmptyState icon={<UserRound size={32} />} title={words.emptyTitle}>
                {words.empty}
              </EmptyState>
            ) : (
              <Section>
                <Entries label={words.list}>
                  {present(people).map(({ id, name, changedAt }) => (
                    <Entry
                      key={id}
                      icon={<Avatar name={name} />}
                      name={name}
                      actions={
                        <Button
                          variant="default"
                          aria-label={t.connectOf({ name })}
                          onClick={() => setConnecting(name)}
                        >
                          {words.connect}
                        </Button>
                      }
                    >
                      {changedAt === null ? words.noInformation : <TimeAgo at={changedAt} />}
                    </Entry>
                  ))}
                </Entries>
              </Section>
            )
          }
        </Answer>
      </Columns>
      {isAdding && (
        <NameDialog
          title={words.createTitle}
          hint={words.nameHint}
          subjects={['people']}
          onSubmit={create}
          onClose={() => setAdding(false)}
        />
      )}
      {connecting !== undefined && <PhoneDialog name={connecting} onClose={() => setConnecting(undefined)} />}
    </ConnectionFrame>
  );
}
