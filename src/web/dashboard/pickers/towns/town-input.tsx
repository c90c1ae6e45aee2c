/** A town, found by the beginning of its name. The region and the country distinguish towns of one name. */
import townTexts from 'texts:towns';
import { Select, Text } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import { useLanguage } from '../../texts/language.ts';
import { useTexts } from '../../texts/texts.ts';
import { findTowns, loadTowns, type Town } from './towns.ts';

const MAX_SHOWN = 30;

/** @returns the towns, `undefined` while they load, `null` if they can't be loaded */
export function useTowns(): readonly Town[] | null | undefined {
  const [towns, setTowns] = useState<readonly Town[] | null>();
  useEffect(() => {
    let isThere = true;
    loadTowns().then(
      (all) => isThere && setTowns(all),
      () => isThere && setTowns(null),
    );
    return () => {
      isThere = false;
    };
  }, []);
  return towns;
}

interface TownInputProps {
  /** From `useTowns`. */
  readonly towns: readonly Town[] | null | undefined;
  readonly value: Town | undefined;
  readonly onChange: (town: Town) => void;
}

export function TownInput({ towns, value, onChange }: TownInputProps) {
  const t = useTexts(townTexts);
  const labelOf = useTownLabel();
  const options = useMemo(
    () => (towns ?? []).map((town) => ({ value: town.id, label: labelOf(town) })),
    [towns, labelOf],
  );
  if (towns === null) return <Text c="dimmed">{t.notLoaded}</Text>;
  return (
    <Select
      label={t.town}
      description={t.hint}
      placeholder={t.placeholder}
      nothingFoundMessage={t.none}
      searchable
      allowDeselect={false}
      maxDropdownHeight={280}
      // Outside of the page's main part, screen readers would not find the list.
      comboboxProps={{ withinPortal: false }}
      data={options}
      filter={({ search }) => {
        const isLabel = value !== undefined && search === labelOf(value);
        const found = findTowns(towns ?? [], isLabel ? value.name : search, labelOf, MAX_SHOWN);
        return found.map((town) => ({ value: town.id, label: labelOf(town) }));
      }}
      value={value?.id ?? null}
      onChange={(id) => {
        const town = towns?.[Number(id)];
        if (id !== null && town) onChange(town);
      }}
      // Input searches for another town and does not extend the current name.
      onClick={({ currentTarget }) => currentTarget.select()}
    />
  );
}

/** "Springfield, Missouri, United States", with the country in the page's language. */
function useTownLabel(): (town: Town) => string {
  const language = useLanguage();
  return useMemo(() => {
    const displayNames = new Intl.DisplayNames(language, { type: 'region' });
    const countries = new Map<string, string>();
    const countryOf = (code: string): string => {
      const name = countries.get(code) ?? displayNames.of(code) ?? code;
      countries.set(code, name);
      return name;
    };
    return ({ name, otherName, region, country }) => {
      const own = otherName ? `${name} (${otherName})` : name;
      return [own, ...(region && region !== name ? [region] : []), countryOf(country)].join(', ');
    };
  }, [language]);
}
