/** The settings of the daemon that need no restart, in the words of people; and those that do, with where they are changed. */
import { present } from '../../../api/graphql.ts';
import { useAsk } from '../../../api/query.ts';
import { useFormat } from '../../../texts/format.ts';
import { useTexts } from '../../../texts/texts.ts';
import { Answer, Section } from '../../../ui/page.tsx';
import { SystemFrame } from '../system-frame.tsx';
import { systemTexts } from '../texts/texts.ts';
import { bySubject, onlyAtStart, placesOf, type Setting, SettingsQuery, textOfValue } from './relay-settings.ts';
import { SettingField } from './setting-field.tsx';
import classes from './settings-page.module.css';

export function SettingsPage() {
  const t = useTexts(systemTexts).settings;
  const query = useAsk(SettingsQuery, {}, { subjects: ['relay'] });
  return (
    <SystemFrame lead={t.lead}>
      <Answer query={query}>{({ relaySettings }) => <Settings settings={present(relaySettings)} />}</Answer>
    </SystemFrame>
  );
}

function Settings({ settings }: { readonly settings: readonly Setting[] }) {
  const t = useTexts(systemTexts).settings;
  return (
    <div className={classes.subjects}>
      {bySubject(settings).map(([subject, own]) => (
        <Section key={subject} title={t.subjects[subject]}>
          {own.map((setting) => (
            <SettingField key={setting.name} setting={setting} />
          ))}
        </Section>
      ))}
      <Section title={t.restart} lead={t.restartLead}>
        <dl className={classes.fixed}>
          {onlyAtStart(settings).map((setting) => (
            <AtStart key={setting.name} setting={setting} />
          ))}
        </dl>
      </Section>
    </div>
  );
}

function AtStart({ setting }: { readonly setting: Setting }) {
  const t = useTexts(systemTexts).settings;
  const format = useFormat();
  const { name, value, setBy, fallback } = setting;
  return (
    <div className={classes.row}>
      <dt>
        <code>{name}</code>
      </dt>
      <dd>
        <span className={classes.value}>
          {textOfValue(value).replaceAll('\n', ', ') || t.standard(fallback)}
          {setBy && <span className={classes.source}>{setBy}</span>}
        </span>
        <span className={classes.how}>{t.howToSet(format.list(placesOf(setting), 'disjunction'))}</span>
      </dd>
    </div>
  );
}
