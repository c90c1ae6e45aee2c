/** One kind of sets on the page: the list, and a button to add one. */
import groupsTexts from 'texts:groups';
import { Button, Stack } from '@mantine/core';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { useAsked } from '../../ui/asked.ts';
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
                <>
                  <button
                    type="button"
                    className={classes.icon}
                    aria-label={t.change({ name: set.name })}
                    title={t.change({ name: set.name })}
                    onClick={() => setOpen({ set })}
                  >
                    <Pencil aria-hidden />
                  </button>
                  <button
                    type="button"
                    className={classes.icon}
                    aria-label={t.remove({ name: set.name })}
                    title={t.remove({ name: set.name })}
                    onClick={() => void deleteSet(sort, homeId, set)}
                  >
                    <Trash2 aria-hidden />
                  </button>
                </>
              )}
            </li>
          ))}
        </Stack>
      )}
      {open && dialog(open.set, () => setOpen(undefined))}
    </Section>
  );
}
