import { pluralIn } from '../../../texts/texts.ts';

const plural = pluralIn('en');

export const en = {
  title: 'Notifications',
  lead: 'Notifications from automations in the last 30 days, and how you want to be notified.',
  test: 'Send a test',
  testMessage: 'This is a test notification.',
  tested: 'Test sent through every channel that is set up.',
  clear: 'Clear all',
  clearTitle: 'Clear all notifications?',
  clearText: 'All notifications in the list are deleted. You will still receive new ones.',
  cleared: 'Notifications cleared',
  emptyTitle: 'No notifications yet',
  emptyText:
    'Automations can notify you, for example when the washing machine is done or water is on the floor. Add the action “Send a notification” to an automation.',
  older: 'Show older',
  failedBy: (channels: string) => `not delivered ${channels}`,
  /** In a sentence. */
  told: { local: 'in the dashboard', push: 'by push', email: 'by email' },
  heldBack: 'held back: more than 30 per hour',
  ofAutomation: (name: string) => `from the automation “${name}”`,
  prefs: 'Delivery',
  prefsLead: 'Settings for an automation override those of its home. Settings for a home override the general ones.',
  channels: { local: 'In the dashboard', push: 'Push (ntfy)', email: 'Email' },
  notSetUp: 'Not set up. Go to settings',
  everywhere: 'Everything',
  homeScope: (name: string) => `Home “${name}”`,
  automationScope: (name: string) => `Automation “${name}”`,
  gone: 'of a deleted item',
  asAbove: 'Inherit',
  reset: (scope: string) => `${scope}: reset to inherit`,
  chooseRule: 'Choose …',
  addRule: 'Add an override for …',
  thisHome: 'This home',
  count: (count: number) => plural(count, { one: '# notification', other: '# notifications' }),
};
