import { pluralIn } from '../../../../texts/texts.ts';

const plural = pluralIn('en');

export const en = {
  title: 'Move accessories here',
  lead: 'Import existing pairings from another program’s file. You don’t need to reset or pair anything again.',
  files: 'Supported files',
  sources: [
    ['Home Assistant', '.storage/core.config_entries, in its configuration folder'],
    ['aiohomekit', 'pairing.json'],
    ['hap-controller', 'the file with its long-term keys'],
  ] as readonly (readonly [string, string])[],
  before: 'Before you begin',
  stop: 'Turn off the other program or its HomeKit integration. Most accessories only work with one controller at a time.',
  keep: 'Don’t remove the accessories there. That would delete their keys.',
  secret:
    'The file gives access to your home. Keep it safe. From a Home Assistant file, only these keys leave this browser.',
  choose: 'Choose a file',
  chooseAnother: 'Choose another file',
  reading: 'Reading the file …',
  tooLarge: 'The file is too large for a pairing file.',
  notJson: 'This isn’t a supported file: it isn’t JSON. Choose the original, unedited file.',
  noPairings:
    'There are no pairings in this file. Choose one of the files listed above. A file of an accessory, such as Homebridge’s, can’t be used: pair the accessory with its setup code.',
  found: (file: string, count: number) =>
    plural(count, { one: `# pairing in ${file}`, other: `# pairings in ${file}` }),
  ready: (count: number) =>
    plural(count, { one: '# accessory can be moved here.', other: '# accessories can be moved here.' }),
  nothingNew: 'None of these accessories can be moved here.',
  take: (count: number) => plural(count, { one: 'Move # accessory', other: 'Move # accessories' }),
  taking: 'Connecting … This takes up to 15 seconds.',
  done: (count: number) => plural(count, { one: '# accessory moved.', other: '# accessories moved.' }),
  doneNone: 'No accessory could be moved.',
  list: 'Pairings in the file',
  toHome: 'Go to my home',
  pairByCode: 'Pair by setup code',
  outcomes: {
    new: ['Ready', 'The keys are complete.'],
    imported: ['Moved', 'Connected and added to your home.'],
    already_here: ['Already here', 'Already paired with this relay. Nothing changes.'],
    unreachable: [
      'Moved, but offline',
      'The accessory is offline. It connects automatically once it has power and network.',
    ],
    refused: [
      'Rejected',
      'The accessory no longer accepts these keys. It was reset, or removed in the other program. Pair it with its setup code.',
    ],
    unsupported: [
      'Not supported',
      'This accessory uses Bluetooth or Thread, which this relay doesn’t support. Only Wi-Fi and Ethernet accessories can be moved.',
    ],
    invalid: [
      'Damaged',
      'The keys in the file are incomplete or changed. Use the original file, or pair the accessory with its setup code.',
    ],
  },
  keepOff: 'Keep the other program’s HomeKit integration off from now on, and don’t remove the accessories there.',
};
