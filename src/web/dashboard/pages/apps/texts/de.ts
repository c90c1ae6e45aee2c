import type { TextsLike } from '../../../texts/texts.ts';
import type { en } from './en.ts';

export const de: TextsLike<typeof en> = {
  title: 'Apps',
  lead: 'Apps und Assistenten, die du in dein Zuhause gelassen hast. Jede reicht höchstens so weit wie du.',
  emptyTitle: 'Keine App hat Zugang',
  empty:
    'Wenn eine App oder ein Assistent nach der Adresse dieses Relays fragt und du auf der Seite zustimmst, die dann kommt, steht sie hier, und du kannst sie aussperren.',
  unverified:
    'So nennen sich die Apps selbst; niemand hat das geprüft. Achte darauf, wohin sie führen, und sperr aus, was du nicht kennst.',
  actsFor: (name) => `Aktionen für ${name}`,
  leadsTo: 'führt zu',
  reach: { read: 'darf ansehen', write: 'darf steuern', admin: 'darf alles, was du darfst' },
  since: (when) => `zugelassen am ${when}`,
  lastUsed: 'benutzt',
  neverUsed: 'nie benutzt',
  limit: 'Zuhause einschränken',
  limitTitle: (name) => `Was ${name} erreicht`,
  limitHint: 'Es gilt sofort, auch für das, was die App schon hat.',
  revoke: 'Aussperren',
  revokeTitle: (name) => `${name} aussperren?`,
  revokeText: 'Der Zugang endet sofort, auf allen Geräten. Um die App wieder zu benutzen, lässt du sie neu zu.',
  revoked: (name) => `${name} ist ausgesperrt.`,
  endsToo: 'Das endet mit ihr, weil die App es angelegt hat:',
  made: {
    share: 'Freigabe',
    flow: 'Automation',
    mqtt_broker: 'MQTT-Broker',
    webhook: 'Webhook',
    access_token: 'Zugriffstoken',
  },
  permissions: {
    label: 'Zuhause',
    all: 'Alles, was ich erreiche',
    allHint: 'Auch ein Zuhause, das später dazukommt.',
    some: 'Nur eine Auswahl',
    none: 'Kein Zugang',
    view: 'Ansehen',
    control: 'Steuern',
    allHomes: 'alles, was du erreichst',
    otherHome: 'ein anderes Zuhause',
    homeWith: (home, level) => `${home} (${level})`,
  },
};
