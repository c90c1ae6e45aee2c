import { pluralIn } from '../../../texts/texts.ts';

const plural = pluralIn('en');

export const en = {
  title: 'Add accessory',
  lead: 'Accessories for HomeKit in your network appear here by themselves. Have the setup code at hand: eight digits on the accessory, in its manual or on its screen.',
  notAllowed: 'Only who manages this home can add accessories',
  notAllowedText: 'Ask its owner or an admin to add it, or to make you an admin.',
  found: (count: number) => plural(count, { one: 'We found # new accessory', other: 'We found # new accessories' }),
  searching: 'Looking for accessories …',
  searchAgain: 'Look again',
  none: 'No new accessory yet',
  noneText:
    'Plug it in and bring it into your network with its maker’s app first. Accessories that are in another home, such as Apple Home, have to be removed there.',
  add: 'Add',
  addName: (name: string) => `Add ${name}`,
  elsewhere: 'In another home',
  elsewhereText:
    'Another app or hub holds these. Remove them there (in Apple Home: the accessory’s settings → Remove Accessory), or reset them as their manuals say; they then appear above.',
  here: 'Already here',
  blink: 'Identify',
  blinkName: (name: string) => `Identify ${name}`,
  blinked: (name: string) => `${name} should blink or sound now.`,
  move: 'Moving from another program?',
  moveText: 'What Home Assistant and others have paired comes over with a file of theirs. Nothing has to be reset.',
  moveAct: 'Move accessories here',
  manual: 'Not in the list?',
  manualText: 'Where an accessory is in another network, the relay can’t see it. Give its address and port.',
  address: 'Address and port',
  addressHint: 'For example 192.168.1.20:51827',
  addressBad: 'Give an address and a port, such as 192.168.1.20:51827.',
  go: 'Go on',
  addDevice: (name: string) => `Add “${name}”`,
  code: 'Setup code',
  codeHint: 'Eight digits, such as 031-45-154. You can paste it, too.',
  codeMissing: 'Some digits are missing: a setup code has eight.',
  codeMatter: 'This is a Matter code. HomeKit’s has eight digits, or a QR code that begins with X-HM://.',
  codeLetters: 'A setup code has digits only. Read it again from the accessory or its box.',
  codeTrivial: 'No accessory may have this code, since everybody would guess it. Check the digits.',
  scan: 'Scan with the camera',
  photo: 'Take a photo of the code',
  photoHint: 'Of the QR code next to the digits.',
  scanning: 'Hold the QR code in front of the camera.',
  stopScan: 'Stop the camera',
  scanned: 'The code was read.',
  noCode: 'There is no QR code to be seen in the picture. Go nearer, with more light, or type the digits.',
  foreignCodes: {
    matter: 'This is a Matter code. Look for the other one, beside eight digits and a small house.',
    other: 'This QR code is none of HomeKit’s. Look for the one beside eight digits and a small house.',
  },
  noCamera: {
    none: 'There is no camera here. Take a photo of the code, or type its digits.',
    denied:
      'This page may not use the camera. Allow it in the browser’s settings for this page, or take a photo instead.',
    busy: 'The camera can’t be used now; another app may have it. Close that, or take a photo instead.',
  },
  pairing: (name: string) => `Adding “${name}”`,
  pairingText: 'This takes up to half a minute. Stay near; leave it powered.',
  steps: {
    connecting: 'Reaching the accessory',
    exchanging: 'Checking the setup code',
    proving: 'Making sure that it is the right one',
    saving: 'Keeping its keys',
    verifying: 'Connecting for good',
    reading: 'Reading what it can do',
    done: 'Done',
  },
  /** By the reason that the relay gives. */
  failures: {
    wrong_code: 'The setup code is wrong. Check the eight digits on the accessory, its box or its screen.',
    back_off: 'The accessory wants a pause before the next try. Wait a minute, then try again.',
    max_peers:
      'The accessory has no room for another home. Remove it from one in the app that holds it, or reset it as its manual says.',
    max_tries:
      'The accessory has seen too many wrong codes and takes none until it is restarted. Unplug it for ten seconds, check the code and try again.',
    paired_elsewhere:
      'The accessory is in another home. Remove it in the app or hub that holds it, or reset it as its manual says, then try again.',
    busy: 'The accessory is being added by somebody else at this moment. Let that end or stop it, then try again in a minute.',
    unreachable:
      'The accessory does not answer. Check that it has power, is near enough and in this network, then try again.',
    half_made:
      'It stopped half-way. Try again: what is left of this attempt is cleared away first. If that fails, reset the accessory as its manual says.',
    wrong_device: 'Another accessory answered at this address. Look again, and choose it from the list.',
    impostor:
      'What answered does not know the setup code itself. Make sure that it is your accessory, unplug it for ten seconds and try again.',
    refused:
      'The accessory refused without saying why. Unplug it for ten seconds, then try again; if that does not help, look for an update in its maker’s app.',
    paired_here: 'This accessory is here already. You find it in its room.',
    malformed_code: 'This is no setup code: it has eight digits. Read it again from the accessory or its box.',
    trivial_code: 'No accessory may have this code, since everybody would guess it. Check the digits.',
    matter_code: 'This is a Matter code. HomeKit’s has eight digits, or a QR code that begins with X-HM://.',
    damaged_payload: 'The QR code was not read whole. Scan it again, or type the eight digits beside it.',
    not_saved:
      'The relay can’t keep this accessory’s keys, so it stopped. Check its disk under System, then try again.',
    not_seen: 'Nothing answers at this address. Check it, and that the accessory has power.',
    too_many_wrong_codes:
      'Five wrong codes within an hour. To keep the accessory from locking itself, wait an hour before the next try.',
  },
  added: (name: string) => `“${name}” is here`,
  addedBridge: (count: number) =>
    plural(count, { one: 'It brought # accessory. Where is it?', other: 'It brought # accessories. Where are they?' }),
  addedOne: 'What is it called, and where is it?',
  name: 'Name',
  room: 'Room',
  newRoom: 'New room …',
  newRoomName: 'Name of the new room',
  save: 'Done',
  saveAndMore: 'Done, add another',
  unpair: 'Undo: remove it again',
  unpairTitle: (name: string) => `Remove “${name}”?`,
  unpairText: 'It leaves this home and can then be added anywhere again. What you set here for it is lost.',
  unpaired: (name: string) => `“${name}” was removed.`,
};
