import { pluralIn } from '../../../texts/texts.ts';

const plural = pluralIn('en');

export const en = {
  title: 'Add accessory',
  lead: 'HomeKit accessories on your network appear here automatically. Have the setup code ready: eight digits on the accessory, in its manual or on its screen.',
  notAllowed: 'Only admins can add accessories',
  notAllowedText: 'Ask the home’s owner or an admin to add it, or to make you an admin.',
  found: (count: number) => plural(count, { one: '# new accessory found', other: '# new accessories found' }),
  searching: 'Looking for accessories …',
  searchAgain: 'Search again',
  none: 'No new accessories found',
  noneText:
    'Plug it in and connect it to your Wi-Fi with the manufacturer’s app first. Remove accessories from other homes, such as Apple Home, before adding them here.',
  add: 'Add',
  addName: (name: string) => `Add ${name}`,
  elsewhere: 'In another home',
  elsewhereText:
    'These are paired with another app or hub. Remove them there (in Apple Home: the accessory’s settings → Remove Accessory), or reset them as described in their manuals. They then appear above.',
  here: 'Already here',
  blink: 'Identify',
  blinkName: (name: string) => `Identify ${name}`,
  blinked: (name: string) => `${name} should blink or sound now.`,
  move: 'Moving from another program?',
  moveText: 'Import existing pairings from Home Assistant and other controllers. No resets needed.',
  moveAct: 'Move accessories here',
  manual: 'Not in the list?',
  manualText: 'The relay can’t discover accessories on other networks. Enter the accessory’s address and port.',
  address: 'Address and port',
  addressHint: 'For example 192.168.1.20:51827',
  addressBad: 'Enter an address and a port, such as 192.168.1.20:51827.',
  go: 'Continue',
  addDevice: (name: string) => `Add “${name}”`,
  code: 'Setup code',
  codeHint: 'Eight digits, such as 031-45-154. You can also paste it.',
  codeMissing: 'Some digits are missing: a setup code has eight.',
  codeMatter: 'This is a Matter code. A HomeKit code has eight digits, or is a QR code that begins with X-HM://.',
  codeLetters: 'A setup code only has digits. Check the accessory or its box again.',
  codeTrivial: 'This code is too easy to guess and not allowed. Check the digits.',
  scan: 'Scan with the camera',
  photo: 'Take a photo of the code',
  photoHint: 'Of the QR code next to the digits.',
  scanning: 'Point the camera at the QR code.',
  stopScan: 'Stop the camera',
  scanned: 'Code scanned',
  noCode: 'No QR code found in the photo. Move closer, use more light, or enter the digits.',
  foreignCodes: {
    matter: 'This is a Matter code. Look for the HomeKit code, next to eight digits and a house icon.',
    other: 'This isn’t a HomeKit QR code. Look for the one next to eight digits and a house icon.',
  },
  noCamera: {
    none: 'No camera found. Take a photo of the code, or enter its digits.',
    denied: 'The browser blocks the camera. Allow it in the browser’s settings for this page, or take a photo instead.',
    busy: 'The camera isn’t available; another app may be using it. Close that app, or take a photo instead.',
  },
  pairing: (name: string) => `Adding “${name}”`,
  pairingText: 'This takes up to half a minute. Keep the accessory powered.',
  steps: {
    connecting: 'Connecting to the accessory',
    exchanging: 'Checking the setup code',
    proving: 'Verifying the accessory',
    saving: 'Saving keys',
    verifying: 'Connecting',
    reading: 'Reading features',
    done: 'Done',
  },
  /** By the relay's reason codes. */
  failures: {
    wrong_code: 'The setup code is wrong. Check the eight digits on the accessory, its box or its screen.',
    back_off: 'The accessory isn’t accepting attempts right now. Wait a minute, then try again.',
    max_peers:
      'The accessory has reached its limit of pairings. Remove it from another home, or reset it as described in its manual.',
    max_tries:
      'The accessory received too many wrong codes and must be restarted. Unplug it for ten seconds, check the code and try again.',
    paired_elsewhere:
      'The accessory is paired with another home. Remove it there, or reset it as described in its manual, then try again.',
    busy: 'The accessory is being added from somewhere else right now. Wait for that to finish or stop it, then try again in a minute.',
    unreachable:
      'The accessory isn’t responding. Check that it has power, is in range and on this network, then try again.',
    half_made:
      'Adding the accessory stopped halfway. Try again. If that fails, reset the accessory as described in its manual.',
    wrong_device: 'A different accessory responded at this address. Search again, and choose it from the list.',
    impostor:
      'The device that responded couldn’t prove that it knows the setup code. Make sure it is your accessory, unplug it for ten seconds and try again.',
    refused:
      'The accessory rejected the request without a reason. Unplug it for ten seconds, then try again. If that doesn’t help, check for an update in the manufacturer’s app.',
    paired_here: 'This accessory is already in this home. You can find it in its room.',
    malformed_code: 'This isn’t a setup code. A setup code has eight digits. Check the accessory or its box again.',
    trivial_code: 'This code is too easy to guess and not allowed. Check the digits.',
    matter_code: 'This is a Matter code. A HomeKit code has eight digits, or is a QR code that begins with X-HM://.',
    damaged_payload: 'The QR code wasn’t read completely. Scan it again, or enter the eight digits next to it.',
    not_saved:
      'The relay couldn’t save this accessory’s keys, so the accessory wasn’t added. Check the relay’s disk under System, then try again.',
    not_seen: 'No device responds at this address. Check the address, and that the accessory has power.',
    too_many_wrong_codes:
      'Five wrong codes within an hour. To keep the accessory from locking, wait an hour before you try again.',
  },
  added: (name: string) => `“${name}” added`,
  addedBridge: (count: number) =>
    plural(count, { one: '# accessory added. Where is it?', other: '# accessories added. Where are they?' }),
  addedOne: 'Choose a name and a room.',
  name: 'Name',
  room: 'Room',
  newRoom: 'New room …',
  newRoomName: 'New room name',
  save: 'Done',
  saveAndMore: 'Done, add another',
  unpair: 'Undo and remove',
  unpairTitle: (name: string) => `Remove “${name}”?`,
  unpairText:
    'The accessory is removed from this home and can then be added anywhere again. Its settings here are lost.',
  unpaired: (name: string) => `“${name}” was removed.`,
};
