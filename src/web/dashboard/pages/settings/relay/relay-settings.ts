/** The daemon's settings in the page's format: by subject, and the value that a form's text sets. */
import type { Catalogues } from 'texts:types';
import { graphql, type ResultOf } from '../../../api/graphql.ts';
import { isKeyOf } from '../../../texts/texts.ts';

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

/** Most relevant first. A setting without a subject is shown at the end. */
export const SUBJECTS = {
  network: ['https_redirect', 'public_url', 'trusted_proxy', 'allowed_host', 'allowed_origin'],
  signIn: ['second_step_required_for'],
  discovery: ['advertise', 'manual_device'],
  notifications: ['ntfy_url', 'ntfy_token', 'smtp_url', 'email_from', 'email_to'],
  apps: ['oauth_refresh_grace_seconds'],
  automations: ['automation_runs_per_minute', 'automation_late_minutes'],
  history: ['history_max_mb'],
  outgoing: ['webhooks_allow_loopback', 'webhooks_public_only'],
  mqtt: ['mqtt_url'],
  updates: ['update_check'],
  log: ['log_level'],
} as const;

export type SettingsSubject = keyof typeof SUBJECTS;

export function bySubject(settings: readonly Setting[]): readonly (readonly [SettingsSubject, readonly Setting[]])[] {
  return (Object.keys(SUBJECTS) as SettingsSubject[]).map((subject) => [
    subject,
    SUBJECTS[subject].flatMap((name) => settings.find((setting) => setting.name === name) ?? []),
  ]);
}

/** Settings that need a restart. */
export function onlyAtStart(settings: readonly Setting[]): readonly Setting[] {
  return settings.filter(({ isLive }) => !isLive);
}

/** The text of a field, with one list entry a line. A secret is never shown. */
export function textOfValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join('\n');
  return value === null || value === undefined ? '' : String(value);
}

/** Whether the setting is a text field, saved when it is left; switches and selects apply at once. */
export function isTyped({ kind, setBy }: Pick<Setting, 'kind' | 'setBy'>): boolean {
  return kind !== 'switch' && kind !== 'choice' && setBy === null;
}

/** The initial text of the field. */
export function keptText({ isSecret, value }: Pick<Setting, 'isSecret' | 'value'>): string {
  return isSecret ? '' : textOfValue(value);
}

/** The value that a field's text sets; `null` removes the value, and the default applies. */
export function valueOfTyped(
  { kind, isList }: Pick<Setting, 'kind' | 'isList'>,
  text: string,
): string | number | readonly string[] | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  // The relay rejects text that is not a number, and names the valid format.
  if (kind === 'number') return Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed;
  return isList
    ? trimmed
        .split(/[\n,]/)
        .map((word) => word.trim())
        .filter(Boolean)
    : trimmed;
}

const MAIL = ['smtp_url', 'email_from', 'email_to'] as const;
/** Settings that are invalid without another one, by that one. */
const DEPENDENTS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(MAIL.map((name) => [name, MAIL])),
  ntfy_url: ['ntfy_token'],
};

/** Whether it is valid only together with others: it waits for them. */
export function needsOthers({ name }: Pick<Setting, 'name'>): boolean {
  return Object.entries(DEPENDENTS).some(([main, dependents]) => name === main || dependents.includes(name));
}

/** What puts a setting back to how it was before a change; nothing for a secret, whose value is never shown. */
export function valueBefore({ isSecret, isSet, source, value }: Setting): unknown {
  if (source !== 'stored') return null;
  return isSecret && isSet ? undefined : value;
}

/** The setting and the set ones that depend on it: they are reset together. */
export function withDependents({ name }: Pick<Setting, 'name'>, settings: readonly Setting[]): readonly string[] {
  const dependents = settings.filter((one) => DEPENDENTS[name]?.includes(one.name) && one.source === 'stored');
  return [...new Set([name, ...dependents.map((one) => one.name)])];
}

/** The name of a setting. A setting without a translation uses the relay's own text. */
export function wordsOf(
  { name, meaning }: Pick<Setting, 'name' | 'meaning'>,
  names: Catalogues['system']['settings']['names'],
): { readonly label: string; readonly help: string } {
  if (!isKeyOf(names, name)) return { label: name, help: meaning };
  return { label: names[name].name, help: names[name].hint };
}

/**
 * `log_level` in the file, `HEARTHD_LOG_LEVEL`, `--log-level`. Secrets have no flag, and a setting in the data
 * directory can't define that directory.
 */
export function placesOf({ name, isSecret }: Pick<Setting, 'name' | 'isSecret'>): readonly string[] {
  const inFile = name === 'data_dir' ? [] : [name];
  const flag = isSecret ? [] : [`--${name.replaceAll('_', '-')}`];
  return [...inFile, `HEARTHD_${name.toUpperCase()}`, ...flag];
}
