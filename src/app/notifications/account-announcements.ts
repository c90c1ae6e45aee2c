/** What people are sent when their account is signed in to from elsewhere, or when what signs them in changes. */
import type { HomeEvents } from '../../home/events.ts';
import { deviceName } from '../../home/vocabulary/device-names.ts';

type Change = HomeEvents['account.second_step_changed'];
type Text<Values extends string> = (values: Readonly<Record<Values, string>>) => string;

/** In the language of the person. */
export interface AnnouncementTexts {
  readonly from: Text<'address'>;
  readonly signIn: {
    readonly title: string;
    readonly unknownDevice: string;
    readonly text: Text<'device' | 'from' | 'moment'>;
  };
  readonly change: {
    readonly title: string;
    readonly named: Text<'what' | 'name'>;
    readonly text: Text<'what' | 'from' | 'moment'>;
    readonly what: Readonly<Record<Change['change'], string>>;
  };
}

interface Announcement {
  readonly title: string;
  readonly message: string;
}

export function ofSignIn(t: AnnouncementTexts, event: HomeEvents['session.new_device']): Announcement {
  const device = deviceName(event.device) ?? t.signIn.unknownDevice;
  return { title: t.signIn.title, message: t.signIn.text({ device, ...placeAndTime(t, event) }) };
}

export function ofChange(t: AnnouncementTexts, event: Change): Announcement {
  const plain = t.change.what[event.change];
  const what = event.name === null ? plain : t.change.named({ what: plain, name: event.name });
  return { title: t.change.title, message: t.change.text({ what, ...placeAndTime(t, event) }) };
}

function placeAndTime(t: AnnouncementTexts, { address, at }: Pick<Change, 'address' | 'at'>) {
  return {
    from: address === null ? '' : t.from({ address }),
    moment: new Date(at).toISOString().slice(0, 16).replace('T', ' '),
  };
}
