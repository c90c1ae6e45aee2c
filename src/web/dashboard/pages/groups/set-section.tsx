/** One kind of sets on the page: the list with a menu for each, and a button to add one. */
import commonTexts from 'texts:common';
import groupsTexts from 'texts:groups';
import { Button, Stack } from '@mantine/core';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { useAsked } from '../../ui/asked.ts';
import { ActsMenu } from '../../ui/entries.tsx';
import { Section } from '../../ui/page.tsx';
import classes from './groups.module.css';
import { deleteSet, type NamedSet, type SetSort } from './set-acts.ts';

interface SetSectionProps {
  readonly title: string;
  /** The purpose of such a set. */
  readonly lead: string;
  readonly add: string;
  readonly sort: SetSort;
  readonly sets: readonly NamedSet[];
  readonly describe: (set: NamedSet) => string;
  readonly canEdit: boolean;
  /** `?new=` of the address that opens the dialog for a new one. */
  readonly asked?: string;
  readonly dialog: (set: NamedSet | undefined, onClose: () => void) => ReactNode;
}

export function SetSection({ title, lead, add, sort, sets, describe, canEdit, asked, dialog }: SetSectionProps) {
  const t = useTexts(groupsTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const [open, setOpen] = useState<{ readonly set: NamedSet | undefined }>();
  useAsked((what) => what === asked && canEdit && setOpen({ set: undefined }));
  const button = canEdit && (
    <Button variant="default" leftSection={<Plus size={18} aria-hidden />} onClick={() => setOpen({ set: undefined })}>
      {add}
    </Button>
  );
  return (
    <Section title={title} lead={lead} actions={button}>
      {sets.length > 0 && (
        <Stack component="ul" gap={0} className="h-bare" aria-label={title}>
          {sets.map((set) => (
            <li key={set.id} className={classes.row}>
              <span className={classes.words}>
                <strong>{set.name}</strong>
                <small>{describe(set)}</small>
              </span>
              {canEdit && (
                <span className={classes.menu}>
                  <ActsMenu
                    label={t.actsFor({ name: set.name })}
                    acts={[
                      { label: common.edit, run: () => setOpen({ set }) },
                      { label: t.delete, isDangerous: true, run: () => void deleteSet(sort, homeId, set) },
                    ]}
                  />
                </span>
              )}
            </li>
          ))}
        </Stack>
      )}
      {open && dialog(open.set, () => setOpen(undefined))}
    </Section>
  );
}
