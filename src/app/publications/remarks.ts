/** The sentences of previews. Clients that show another language have their own, by the code and its numbers. */
import type { PublicationRemark, PublicationRemarkCode } from '../../contract/publications.ts';

interface Numbers {
  readonly count: number;
  readonly limit: number;
}

const SENTENCES: Readonly<Record<PublicationRemarkCode, string | ((numbers: Numbers) => string)>> = {
  from_hearthd: 'It comes from another hearthd, which publishes it itself.',
  member_from_hearthd: 'A member of it comes from another hearthd, which publishes it itself.',
  members_missing: 'None of its members is there.',
  not_known_yet: 'What it can do is not known yet. It is published when it has answered once.',
  too_many_options: ({ limit }) => `It has more than ${limit} options, each of which would be a switch.`,
  apple_home_counter: 'Apple Home has nothing for a counter.',
  apple_home_number: 'Apple Home has nothing for a number.',
  apple_home_text: 'Apple Home has nothing for text.',
  apple_home_datetime: 'Apple Home has nothing for a date or a time.',
  apple_home_nothing: 'Apple Home has nothing for it.',
  camera_video: 'Its video can’t be published: a camera sends it only to the controller that it is paired with.',
  camera_without_video: 'Without its video: a camera sends it only to the controller that it is paired with.',
  camera_video_direct: 'Its video goes from the camera to the viewer; it records only for what it is paired with.',
  alone_in_apple_home: 'It is added to Apple Home by itself, with a code of its own.',
  new_in_apple_home: 'Apple Home will treat this as a new accessory.',
  apple_home_empty: 'Nothing of this can be published. The bridge would be empty.',
  leaves_apple_home: ({ count }) =>
    `What leaves the selection (${count}) leaves Apple Home, with its rooms and automations there.`,
  bridge_full: ({ limit }) =>
    `A bridge has at most ${limit} accessories. Each bridge is added to Apple Home with a code of its own.`,
  matter_garage_door: 'Controllers do not know garage doors over Matter yet.',
  matter_security_system: 'Matter has nothing for a security system.',
  matter_humidifier: 'Matter has nothing for a humidifier.',
  matter_television: 'A television needs an app of its own in Matter.',
  matter_camera: 'A camera sends its video only to the controller that it is paired with.',
  matter_virtual: 'Of virtual accessories, only switches that people may operate can be published over Matter.',
  matter_nothing: 'Matter has nothing for it.',
  matter_devices: ({ count }) => `Controllers show it as ${count} devices.`,
  new_in_matter: 'Controllers will treat this as a new device.',
  matter_uncertified: 'It speaks Matter (uncertified): controllers ask before they add it.',
  matter_empty: 'Nothing of this can be published. Apple Home adds no empty bridge.',
  leaves_matter: ({ count }) =>
    `What leaves the selection (${count}) leaves the controllers, with its rooms and routines there.`,
  alexa_limit: ({ count, limit }) =>
    `Alexa finds at most ${limit} devices of a bridge, and this one would have ${count}.`,
};

export function remark(code: PublicationRemarkCode, { count, limit }: Partial<Numbers> = {}): PublicationRemark {
  return { code, count: count ?? null, limit: limit ?? null };
}

/** @returns `null` for none */
export function sentencesOf(remarks: readonly PublicationRemark[]): string | null {
  return remarks.map(sentenceOf).join(' ') || null;
}

export function sentenceOf({ code, count, limit }: PublicationRemark): string {
  const sentence = SENTENCES[code];
  return typeof sentence === 'string' ? sentence : sentence({ count: count ?? 0, limit: limit ?? 0 });
}
