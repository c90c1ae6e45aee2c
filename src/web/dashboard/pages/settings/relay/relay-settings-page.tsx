/** The daemon's settings that need no restart; and those that do, with the place to change them. */

import systemTexts from 'texts:system';
import { Box, Group } from '@mantine/core';
import { useOwnsRelay } from '../../../account/account.ts';
import { present } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Answer, EmptyState } from '../../../ui/page.tsx';
import { SettingsFrame } from '../settings-frame.tsx';
import { SettingsColumns, SettingsSection } from '../settings-section.tsx';
import classes from './relay-settings.module.css';
import {
  bySubject,
  onlyAtStart,
  placesOf,
  type Setting,
  SettingsQuery,
  textOfValue,
  wordsOf,
} from './relay-settings.ts';
import { SettingSection } from './setting-section.tsx';

export function RelaySettingsPage() {
  const t = useTexts(systemTexts).settings;
  const ownsRelay = useOwnsRelay();
  if (!ownsRelay) {
    return (
      <SettingsFrame>
        <EmptyState title={t.title}>{t.onlyOwners}</EmptyState>
      </SettingsFrame>
    );
  }
  return (
    <SettingsFrame lead={t.lead}>
      <RelaySettings />
    </SettingsFrame>
  );
}

function RelaySettings() {
  const query = useApiQuery(SettingsQuery, {}, { subjects: ['relay'] });
  return <Answer query={query}>{({ relaySettings }) => <Settings settings={present(relaySettings)} />}</Answer>;
}

function Settings({ settings }: { readonly settings: readonly Setting[] }) {
  const t = useTexts(systemTexts).settings;
  const subjects = bySubject(settings);
  return (
    <SettingsColumns
      second={
        <SettingsSection id="restart" title={t.restart} lead={t.restartLead}>
          <Box component="dl" m={0}>
            {onlyAtStart(settings).map((setting) => (
              <AtStart key={setting.name} setting={setting} />
            ))}
          </Box>
        </SettingsSection>
      }
    >
      {subjects.map(([subject, own]) => (
        <SettingSection key={subject} id={subject} title={t.subjects[subject]} settings={own} />
      ))}
    </SettingsColumns>
  );
}

function AtStart({ setting }: { readonly setting: Setting }) {
  const t = useTexts(systemTexts).settings;
  const { name, value, setBy, fallback } = setting;
  const { label, help } = wordsOf(setting, t.names);
  const standard = Object.hasOwn(t.standards, name) ? t.standards[name as keyof typeof t.standards] : fallback;
  return (
    <div className={classes.row}>
      <Box component="dt" fw={600}>
        {label}
      </Box>
      <dd className={classes.how}>{help}</dd>
      <Group component="dd" gap={8} align="stretch" className="h-anywhere">
        <span>{textOfValue(value).replaceAll('\n', ', ') || t.standard({ value: standard })}</span>
        {setBy && <span className={classes.source}>{setBy}</span>}
      </Group>
      <dd className={classes.how}>
        {t.howToSet}{' '}
        {placesOf(setting).map((place, index) => (
          <span key={place}>
            {index > 0 && ' · '}
            <code>{place}</code>
          </span>
        ))}
      </dd>
    </div>
  );
}
