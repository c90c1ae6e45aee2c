import { pluralIn } from '../../../../texts/texts.ts';

const plural = pluralIn('en');

export const en = {
  title: 'Move accessories here',
  lead: 'What another program has paired works here with the keys in its file: nothing has to be reset or paired anew.',
  files: 'These files can be read',
  sources: [
    ['Home Assistant', '.storage/core.config_entries, in its configuration folder'],
    ['aiohomekit', 'pairing.json'],
    ['hap-controller', 'the file with its long-term data'],
  ] as readonly (readonly [string, string])[],
  before: 'Before you begin',
  stop: 'Switch the other program, or its HomeKit integration, off: most accessories listen to one of them only.',
  keep: 'Don’t remove the accessories there. That would tell them to forget their keys.',
  secret: 'The file is a key to your home. Of Home Assistant’s, nothing but these keys leaves this browser.',
  choose: 'Choose a file',
  chooseAnother: 'Choose another file',
  reading: 'Reading the file …',
  tooLarge: 'The file is too large to hold pairings only.',
  notJson: 'This is none of these files: it is not JSON. Take the original one, without editing it.',
  noPairings:
    'There are no pairings in this file. Take one of those named above. A file of an accessory, such as Homebridge’s, opens nothing: pair that with its setup code.',
  found: (file: string, count: number) =>
    plural(count, { one: `# pairing in ${file}`, other: `# pairings in ${file}` }),
  ready: (count: number) =>
    plural(count, { one: '# accessory can be moved here.', other: '# accessories can be moved here.' }),
  nothingNew: 'Nothing in it can be moved here.',
  take: (count: number) => plural(count, { one: 'Move # accessory', other: 'Move # accessories' }),
  taking: 'Connecting to each of them … This takes up to 15 seconds.',
  done: (count: number) => plural(count, { one: '# accessory is here now.', other: '# accessories are here now.' }),
  doneNone: 'No accessory could be moved.',
  list: 'Pairings in the file',
  toHome: 'To your home',
  pairByCode: 'Pair by setup code',
  outcomes: {
    new: ['Ready', 'Its keys are complete.'],
    imported: ['Moved', 'It is connected, and in your home.'],
    already_here: ['Here already', 'It is paired with this relay and stays as it is.'],
    unreachable: [
      'Moved, but away',
      'It does not answer now. It is connected by itself once it has power and network.',
    ],
    refused: [
      'Refused',
      'It does not know these keys any more: it was reset, or removed in the other program. Pair it with its setup code.',
    ],
    unsupported: [
      'Not possible',
      'It is reached over Bluetooth or Thread, which this relay does not speak. Only those in your network can be moved.',
    ],
    invalid: [
      'Damaged',
      'Its keys in the file are incomplete or changed. Take the original file, or pair it with its code.',
    ],
  },
  keepOff: 'Leave the other program’s HomeKit integration off from now on, and don’t remove the accessories there.',
};
