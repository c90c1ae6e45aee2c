/** The settings of the daemon as the page shows them: by subject, and what a form's text means for one. */
import { graphql, type ResultOf } from '../../../api/graphql.ts';

export const SettingsQuery = graphql(`
  query RelaySettings {
    relaySettings {
      name
      kind
      isList
      isSecret
      isLive
      choices
      fallback
      meaning
      value
      isSet
      source
      setBy
    }
  }
`);

export const UpdateRelaySettings = graphql(`
  mutation UpdateRelaySettings($settings: JSON!) {
    updateRelaySettings(settings: $settings) {
      name
    }
  }
`);

export type Setting = NonNullable<NonNullable<ResultOf<typeof SettingsQuery>['relaySettings']>[number]>;

/** In the order in which people look for them. One that is in none of these is shown at the end. */
export const SUBJECTS = {
  network: ['public_url', 'trusted_proxy', 'allowed_host', 'allowed_origin'],
  discovery: ['advertise', 'manual_device'],
  notifications: ['ntfy_url', 'ntfy_token', 'smtp_url', 'email_from', 'email_to'],
  automations: ['automation_runs_per_minute', 'automation_late_minutes'],
  history: ['history_max_mb'],
  outgoing: ['webhooks_allow_loopback', 'webhooks_public_only'],
  mqtt: ['mqtt_url'],
  log: ['log_level'],
} as const;

export type Subject = keyof typeof SUBJECTS;

export function bySubject(settings: readonly Setting[]): readonly (readonly [Subject, readonly Setting[]])[] {
  return (Object.keys(SUBJECTS) as Subject[]).map((subject) => [
    subject,
    SUBJECTS[subject].flatMap((name) => settings.find((setting) => setting.name === name) ?? []),
  ]);
}

/** What holds from the start on only. */
export function onlyAtStart(settings: readonly Setting[]): readonly Setting[] {
  return settings.filter(({ isLive }) => !isLive);
}

/** As it stands in a field: several one below the other. A secret is never shown. */
export function textOfValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join('\n');
  return value === null || value === undefined ? '' : String(value);
}

/** Whether it is written into a field, and so saved by a button; switches and choices act at once. */
export function isTyped({ kind, setBy }: Pick<Setting, 'kind' | 'setBy'>): boolean {
  return kind !== 'switch' && kind !== 'choice' && setBy === null;
}

/** What stands in its field before anything is typed. */
export function keptText({ isSecret, value }: Pick<Setting, 'isSecret' | 'value'>): string {
  return isSecret ? '' : textOfValue(value);
}

/** What a field's text sets; `null`: nothing, the standard holds. */
export function valueOfTyped(
  { kind, isList }: Pick<Setting, 'kind' | 'isList'>,
  text: string,
): string | number | readonly string[] | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  // What is no number is refused by the relay, which says what would be one.
  if (kind === 'number') return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
  return isList
    ? trimmed
        .split(/[\n,]/)
        .map((word) => word.trim())
        .filter(Boolean)
    : trimmed;
}

const MAIL = ['smtp_url', 'email_from', 'email_to'] as const;
/** What is refused without another one, by that one. */
const DEPENDENTS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(MAIL.map((name) => [name, MAIL])),
  ntfy_url: ['ntfy_token'],
};

/** The setting, and what was set here that can't be without it: they go together. */
export function withDependents({ name }: Pick<Setting, 'name'>, settings: readonly Setting[]): readonly string[] {
  const dependents = settings.filter((one) => DEPENDENTS[name]?.includes(one.name) && one.source === 'stored');
  return [...new Set([name, ...dependents.map((one) => one.name)])];
}

/** What people call it. One that has no words yet is told in the relay's own. */
export function wordsOf(
  { name, meaning }: Pick<Setting, 'name' | 'meaning'>,
  names: Readonly<Record<string, readonly string[]>>,
): { readonly label: string; readonly help: string } {
  const [label = name, help = meaning] = Object.hasOwn(names, name) ? (names[name] ?? []) : [];
  return { label, help };
}

/**
 * `log_level` in the file, `HEARTHD_LOG_LEVEL`, `--log-level`. Secrets have no flag, and what lies in a directory can't say where that
 * is.
 */
export function placesOf({ name, isSecret }: Pick<Setting, 'name' | 'isSecret'>): readonly string[] {
  const inFile = name === 'data_dir' ? [] : [name];
  const flag = isSecret ? [] : [`--${name.replaceAll('_', '-')}`];
  return [...inFile, `HEARTHD_${name.toUpperCase()}`, ...flag];
}
