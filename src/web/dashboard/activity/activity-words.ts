/** The activity log in words: what happened ("Unlocked"), and who did it ("Automation: Hall light"). */
import activityTexts from 'texts:activity';
import type { ActivityKind, ActorKind } from '../../../home/vocabulary/activity-words.ts';
import { splitNumber } from '../pickers/property.ts';
import { useFormat } from '../texts/format.ts';
import { useTexts } from '../texts/texts.ts';

/** The parts of an entry that its words depend on. */
export interface WordedEntry {
  readonly kind: string;
  readonly characteristic: string | null;
  readonly value: string | null;
}

export interface NamedActor {
  readonly kind: string;
  readonly name: string | null;
}

interface ActivityWords {
  /** "Unlocked", "Set to 21.5 °C". */
  did(entry: WordedEntry): string;
  /** "Anna", "Automation: Hall light". */
  by(actor: NamedActor): string;
}

type Table<T> = Readonly<Record<string, T | undefined>>;

export function useActivityWords(): ActivityWords {
  const t = useTexts(activityTexts);
  const format = useFormat();
  const amountOf = ({ kind, value }: WordedEntry): string => {
    const amount = Number(value);
    if (value === null || Number.isNaN(amount)) return value ?? '';
    return kind === 'climate' ? format.temperature(amount) : format.percent(amount);
  };
  return {
    did(entry) {
      const { kind, characteristic, value } = entry;
      if (kind === 'notification') return t.pressedButton({ button: value ?? '' });
      const words = t.did as Table<Table<string>>;
      const type = characteristic === null ? '' : splitNumber(characteristic).type;
      const word = words[type]?.[value ?? ''] ?? words[kind]?.[value ?? ''];
      return word ?? (kind === 'cover' ? t.movedTo : t.setTo)({ value: amountOf(entry) });
    },
    by({ kind, name }) {
      if (name === null) return (t.unnamed as Table<string>)[kind] ?? kind;
      return (t.named as Table<(values: { readonly name: string }) => string>)[kind]?.({ name }) ?? name;
    },
  };
}

/** Kinds that have no other actor than what they are about. */
const BY_THEMSELVES: ReadonlySet<string> = new Set<ActivityKind>([
  'motion',
  'door',
  'hazard',
  'button',
  'connection',
  'presence',
]);
const DEVICE: ActorKind = 'device';
const AUTOMATION: ActorKind = 'automation';

/** Whether the actor is worth a mention. A door sensor can't be opened by an app. */
export function hasActor({ kind, actor }: Pick<WordedEntry, 'kind'> & { readonly actor: NamedActor }): boolean {
  if (kind === 'automation') return actor.kind !== AUTOMATION;
  return !BY_THEMSELVES.has(kind) || (kind === 'door' && actor.kind !== DEVICE);
}
