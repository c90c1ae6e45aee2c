/**
 * Chooses the icon of a tile. The search knows the synonyms of every language. Arrow keys move in the grid; from the
 * search, the down arrow leads into it, and Enter takes its first icon.
 */
import iconTexts from 'texts:icons';
import { Button, Stack, TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type IconName, isIconName } from '../../../../home/vocabulary/icon-names.ts';
import { LANGUAGES, type Language } from '../../../../texts/languages.ts';
import { useAccessory } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { findIcons } from './find-icons.ts';
import { targetAt } from './grid-keys.ts';
import classes from './icon-picker.module.css';
import { ICONS } from './icons.ts';
import { setIcon } from './set-icon.ts';

interface IconPickerProps {
  /** Of an accessory or a service group. */
  readonly accessoryId: string;
  readonly onClose: () => void;
}

export function IconPicker({ accessoryId, onClose }: IconPickerProps) {
  const accessory = useAccessory(accessoryId);
  if (!accessory) return null;
  const { name, icon } = accessory;
  return (
    <AnyIconPicker name={name} icon={icon} onChoose={(chosen) => void setIcon(accessory, chosen)} onClose={onClose} />
  );
}

interface AnyIconPickerProps {
  /** Of what it is. */
  readonly name: string;
  readonly icon: string | null;
  readonly onChoose: (icon: IconName | null) => void;
  readonly onClose: () => void;
}

export function AnyIconPicker({ name: of, icon: before, onChoose, onClose }: AnyIconPickerProps) {
  const t = useTexts(iconTexts);
  const [query, setQuery] = useState('');
  const grid = useRef<HTMLUListElement>(null);
  const languages = useAllLanguages();
  const names = useMemo(() => findIcons(query, t.names, languages), [query, t, languages]);
  const chosen = isIconName(before) ? before : undefined;
  const choose = (icon: IconName | null) => {
    onClose();
    if (icon !== before) onChoose(icon);
  };
  const buttons = () => [...(grid.current?.querySelectorAll('button') ?? [])];
  const onSearchKey = (event: KeyboardEvent) => {
    const [first] = buttons();
    if (!first || (event.key !== 'ArrowDown' && event.key !== 'Enter')) return;
    event.preventDefault();
    if (event.key === 'ArrowDown') first.focus();
    else if (query.trim()) first.click();
  };
  const onGridKey = (event: KeyboardEvent) => {
    const all = buttons();
    const from = all.indexOf(document.activeElement as HTMLButtonElement);
    const tops = all.map((button) => button.getBoundingClientRect().top);
    const target = targetAt(event.key, from, tops);
    if (target === undefined) return;
    event.preventDefault();
    all[target]?.focus();
  };
  // One tab stop: the chosen icon, or the first.
  const stop = chosen !== undefined && names.includes(chosen) ? chosen : names[0];
  return (
    <Dialog
      title={t.title({ name: of })}
      onClose={onClose}
      size="lg"
      foot={
        before !== null && (
          <Button variant="default" onClick={() => choose(null)}>
            {t.usual}
          </Button>
        )
      }
    >
      <Stack>
        <TextInput
          type="search"
          aria-label={t.search}
          placeholder={t.search}
          data-autofocus
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          onKeyDown={onSearchKey}
        />
        {names.length === 0 && <p role="status">{t.none({ query })}</p>}
        <ul ref={grid} className={classes.grid} aria-label={t.all} onKeyDown={onGridKey}>
          {names.map((name) => (
            <IconButton
              key={name}
              name={name}
              label={labelOf(t.names[name])}
              isChosen={name === chosen}
              isStop={name === stop}
              onChoose={choose}
            />
          ))}
        </ul>
      </Stack>
    </Dialog>
  );
}

interface IconButtonProps {
  readonly name: IconName;
  readonly label: string;
  readonly isChosen: boolean;
  readonly isStop: boolean;
  readonly onChoose: (name: IconName) => void;
}

function IconButton({ name, label, isChosen, isStop, onChoose }: IconButtonProps) {
  const Icon = ICONS[name];
  return (
    <li>
      <button
        type="button"
        className={classes.icon}
        aria-label={label}
        aria-pressed={isChosen}
        title={label}
        tabIndex={isStop ? 0 : -1}
        onClick={() => onChoose(name)}
      >
        <Icon aria-hidden size={24} strokeWidth={1.75} />
      </button>
    </li>
  );
}

/** The first of its words is its name, the others are synonyms. */
function labelOf(words: string): string {
  return words.split(',')[0] ?? words;
}

/** The names in every language, as far as they are loaded. */
function useAllLanguages(): readonly Readonly<Record<IconName, string>>[] {
  const [loaded, setLoaded] = useState<readonly Language[]>(['en']);
  useEffect(() => {
    const languages = Object.keys(LANGUAGES) as Language[];
    void Promise.all(languages.map((language) => iconTexts.load(language))).then(() => setLoaded(languages));
  }, []);
  return useMemo(() => loaded.map((language) => iconTexts.in(language).names), [loaded]);
}
