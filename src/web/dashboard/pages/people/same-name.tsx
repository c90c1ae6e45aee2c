/** Offers to link a member to the person of the same name. Two people may share it, so it is a choice. */

import peopleTexts from 'texts:people';
import { Button } from '@mantine/core';
import { useTexts } from '../../texts/texts.ts';
import { useKeptFlag } from '../../ui/kept-flag.ts';
import classes from './people.module.css';
import { useLink } from './use-link.ts';
import type { HomeMember, Person } from './use-people.ts';

interface SameNameProps {
  readonly person: Person;
  readonly member: HomeMember;
}

export function SameName({ person, member }: SameNameProps) {
  const { link: t } = useTexts(peopleTexts);
  const [isRefused, setRefused] = useKeptFlag(`people.apart.${person.id}.${member.id}`);
  const link = useLink();
  if (isRefused) return null;
  const { name } = person;
  return (
    <div className={classes.offer}>
      <p>{t.sameName({ name, email: member.email })}</p>
      <div className={classes.choice}>
        <Button aria-label={t.sameFor({ name })} onClick={() => void link(person, member)}>
          {t.act}
        </Button>
        <Button variant="default" aria-label={t.apartFor({ name })} onClick={() => setRefused(true)}>
          {t.apart}
        </Button>
      </div>
    </div>
  );
}
