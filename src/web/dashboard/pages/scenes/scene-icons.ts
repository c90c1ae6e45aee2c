/** The icon of a scene that has none of its own: by its name, in any of the dashboard's languages. */
import {
  BookOpen,
  Film,
  House,
  LogOut,
  type LucideIcon,
  Moon,
  PartyPopper,
  Sofa,
  Sparkles,
  Sunrise,
  Utensils,
} from 'lucide-react';

/** The first that fits counts: a film night is a film, and a good night is the night. */
const BY_NAME: readonly (readonly [RegExp, LucideIcon])[] = [
  [/movie|film|cinema|kino|tv|television|fernseh/iu, Film],
  [/dinner|lunch|breakfast|meal|cook|essen|koch|frühstück/iu, Utensils],
  [/party|birthday|feier|geburtstag|fest\b/iu, PartyPopper],
  [/read|book|lesen|buch/iu, BookOpen],
  [/leave|away|holiday|verlass|abwesend|unterwegs|urlaub/iu, LogOut],
  [/morning|wake|morgen|aufwach|aufsteh/iu, Sunrise],
  [/night|sleep|bed|nacht|schlaf|bett/iu, Moon],
  [/relax|evening|cosy|cozy|abend|gemütlich|entspann/iu, Sofa],
  [/home|arriv|welcome|heim|ankunft|zuhause/iu, House],
];

export function iconByName(name: string): LucideIcon {
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? Sparkles;
}
