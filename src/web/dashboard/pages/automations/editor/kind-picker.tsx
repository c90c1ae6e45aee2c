/** The dialog to add a node: every kind with a description, and a search. */
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useHome } from '../../../home/use-home.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { hasLightSensor } from '../flow/light-sensors.ts';
import { iconOf, type Offer, offersFor } from '../flow/registry.ts';
import type { NodeRole } from '../flow/structure.ts';
import classes from './editor.module.css';
import { useEditor } from './editor-context.tsx';

interface KindPickerProps {
  readonly of: NodeRole;
  /** Whether the new trigger only ends a wait. */
  readonly isInWait: boolean;
  choose(offer: Offer): void;
  close(): void;
}

export function KindPicker({ of: role, isInWait, choose, close }: KindPickerProps) {
  const { texts } = useEditor();
  const [search, setSearch] = useState('');
  const kinds = texts.kinds[role] as Readonly<Record<string, { readonly name: string; readonly purpose: string }>>;
  const wanted = search.trim().toLowerCase();
  const inventory = useHome();
  const offers = offersFor(role, isInWait).filter(({ key }) => {
    if (key === 'dark' && !hasLightSensor(inventory)) return false;
    const { name = '', purpose = '' } = kinds[key] ?? {};
    return `${name} ${purpose} ${key}`.toLowerCase().includes(wanted);
  });
  return (
    <Dialog onClose={close} title={texts.pick[role]} size="lg" centered={false}>
      <TextInput
        type="search"
        aria-label={texts.pick.search}
        placeholder={texts.pick.search}
        value={search}
        data-autofocus
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <ul className={classes.offers}>
        {offers.map((offer) => {
          const Icon = iconOf(role, offer.key);
          return (
            <li key={offer.key}>
              <button type="button" className={classes.offer} onClick={() => choose(offer)}>
                <span className={classes.icon} data-role={role}>
                  <Icon aria-hidden />
                </span>
                <span className={classes.offerText}>
                  <strong>{kinds[offer.key]?.name ?? offer.key}</strong>
                  <span>{kinds[offer.key]?.purpose}</span>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <Text role="status" c="dimmed" className="h-anywhere">
        {offers.length === 0 && texts.pick.none}
      </Text>
    </Dialog>
  );
}
