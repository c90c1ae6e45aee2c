import { pluralIn } from '../../../texts/texts.ts';

const plural = pluralIn('en');

export const en = {
  title: 'Notifications',
  lead: 'What automations told you in the last 30 days, and by which ways you want to hear of it.',
  test: 'Send a test',
  testMessage: 'This is how a notification looks.',
  tested: 'Sent by every way that is set up.',
  clear: 'Clear the list',
  clearTitle: 'Clear the list of notifications?',
  clearText: 'What you were told is forgotten. New notifications come as before.',
  cleared: 'The list is empty.',
  emptyTitle: 'Nothing was told yet',
  emptyText:
    'Automations can tell you things: that the washing machine is done, that water is on the floor. Add the step “Notify” to one.',
  older: 'Show older ones',
  failedBy: (channels: string) => `not delivered ${channels}`,
  /** In a sentence. */
  told: { local: 'in the dashboard', push: 'by push', email: 'by e-mail' },
  heldBack: 'held back: more than 30 an hour',
  ofAutomation: (name: string) => `from the automation “${name}”`,
  prefs: 'How you are told',
  prefsLead: 'What is set for an automation wins over its home, the home over everything.',
  channels: { local: 'In the dashboard', push: 'Push (ntfy)', email: 'E-mail' },
  notSetUp: 'Not set up yet: to the settings',
  everywhere: 'Everything',
  homeScope: (name: string) => `Home “${name}”`,
  automationScope: (name: string) => `Automation “${name}”`,
  gone: 'of something that is gone',
  asAbove: 'As above',
  reset: (scope: string) => `${scope}: as above again`,
  chooseRule: 'Choose …',
  addRule: 'Set differently for …',
  thisHome: 'This home',
  count: (count: number) => plural(count, { one: '# notification', other: '# notifications' }),
};
