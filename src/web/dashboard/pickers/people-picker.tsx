/** People of the home whose arrival and departure count. */
import pickerTexts from 'texts:pickers';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { graphql, present } from '../api/graphql.ts';
import { useApiQuery } from '../api/query.ts';
import { useHome } from '../home/use-home.ts';
import { useTexts } from '../texts/texts.ts';
import { Answer } from '../ui/page.tsx';

import { ToggleList } from './toggle-list.tsx';

const PeopleQuery = graphql(`
  query PeopleToPick($homeId: String!) {
    people(homeId: $homeId) {
      id
      name
    }
  }
`);

interface PeoplePickerProps {
  readonly label?: string | undefined;
  readonly error?: string | undefined;
  /** Empty: everyone. */
  readonly value: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** The people of the displayed home, for pickers and sentences. */
export function usePeople(enabled = true) {
  const { id } = useHome();
  return useApiQuery(PeopleQuery, { homeId: id }, { subjects: ['people'], enabled });
}

export function PeoplePicker({ label, error, value, onChange }: PeoplePickerProps) {
  const t = useTexts(pickerTexts);
  const query = usePeople();
  return (
    <Answer query={query}>
      {({ people }) => {
        const list = present(people);
        if (list.length === 0) {
          return (
            <Text c="dimmed" mt={8}>
              <Anchor component={Link} href="/people">
                {t.noPeople}
              </Anchor>
            </Text>
          );
        }
        return (
          <ToggleList
            label={label ?? t.people}
            error={error}
            options={list.map(({ id, name }) => ({ value: id, label: name }))}
            value={value}
            onChange={onChange}
            note={value.length === 0 ? t.everyone : undefined}
          />
        );
      }}
    </Answer>
  );
}
