/** The address for a tablet at the wall, with the hours during which its screen is dark. */
import settingsTexts from 'texts:settings';
import { Group } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useManagesHome } from '../../account/account.ts';
import { TimeOfDayInput } from '../../pickers/time-of-day-input.tsx';
import { useTexts } from '../../texts/texts.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import classes from './settings.module.css';
import { SettingsSection } from './settings-section.tsx';

export function TabletSection() {
  const t = useTexts(settingsTexts).tablet;
  const managesHome = useManagesHome();
  const [from, setFrom] = useState('22:00');
  const [to, setTo] = useState('07:00');
  const dim = from === '' || to === '' || from === to ? 'off' : `${from}-${to}`;
  return (
    <SettingsSection id="tablet" title={t.title} lead={t.lead}>
      <Group align="flex-end">
        <TimeOfDayInput label={t.from} value={from} onChange={setFrom} />
        <TimeOfDayInput label={t.to} value={to} onChange={setTo} />
      </Group>
      <CopyField label={t.address} value={`${location.origin}/?kiosk&dim=${dim}`} />
      <p className={classes.dim}>{t.end({ address: `${location.origin}/?kiosk=off` })}</p>
      {managesHome && (
        <Link href="/connections/tokens?new" className={classes.link ?? ''}>
          {t.token}
        </Link>
      )}
    </SettingsSection>
  );
}
