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

/** What a field's text sets; `null`: nothing, the standard holds. */
export function valueOfText(text: string, isList: boolean): string | readonly string[] | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return isList
    ? trimmed
        .split(/[\n,]/)
        .map((word) => word.trim())
        .filter(Boolean)
    : trimmed;
}

/** `--log-level`, `HEARTHD_LOG_LEVEL`, `log_level` in the file. Secrets have no flag. */
export function placesOf({ name, isSecret }: Pick<Setting, 'name' | 'isSecret'>): readonly string[] {
  const flag = isSecret ? [] : [`--${name.replaceAll('_', '-')}`];
  return [...flag, `HEARTHD_${name.toUpperCase()}`, `hearthd.toml (${name})`];
}
