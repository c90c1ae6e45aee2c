/**
 * Some 7,000 towns of the world with their places and time zones, found by the beginning of a name. The list is a file
 * of its own that is loaded when a page asks for a town; no other server is contacted.
 *
 * `towns.txt` is reduced from the records of the npm package city-timezones 1.3.4 (MIT): regions, time zones, and a
 * line for each town with name, country, region, latitude, longitude and time zone, the most populous first.
 * Coordinates are rounded to a hundredth of a degree. A name after a slash is another spelling.
 */

export interface Town {
  /** Its place in the list, as text. */
  readonly id: string;
  readonly name: string;
  readonly otherName: string | undefined;
  readonly region: string;
  /** ISO 3166-1, two letters. */
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timeZone: string;
  /** The words of its names without accents, for the search. */
  readonly keys: readonly string[];
}

let towns: Promise<readonly Town[]> | undefined;

/** Loads the list once. @throws if the relay does not answer; the next call tries again */
export function loadTowns(): Promise<readonly Town[]> {
  towns ??= import('./towns.txt?raw').then(
    ({ default: text }) => parseTowns(text),
    (error: unknown) => {
      towns = undefined;
      throw error;
    },
  );
  return towns;
}

export function parseTowns(text: string): readonly Town[] {
  const [regionLine = '', zoneLine = '', ...lines] = text.split('\n');
  const regions = regionLine.split(';');
  const zones = zoneLine.split(';');
  return lines.filter(Boolean).map((line, index) => {
    const [names = '', country = '', region, latitude, longitude, zone] = line.split('\t');
    const [name = '', otherName] = names.split('/');
    return {
      id: String(index),
      name,
      otherName,
      region: regions[Number(region)] ?? '',
      country,
      latitude: Number(latitude),
      longitude: Number(longitude),
      timeZone: zones[Number(zone)] ?? '',
      keys: [name, otherName ?? ''].flatMap(keysOf),
    };
  });
}

/** A name, and what follows each blank or hyphen in it: "york" finds New York. */
function keysOf(name: string): readonly string[] {
  const plain = withoutAccents(name);
  const starts = [...plain.matchAll(/[\s-]/g)].map(({ index }) => plain.slice(index + 1));
  return plain === '' ? [] : [plain, ...starts];
}

/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

export function withoutAccents(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
  return plain.replace(/[ßøłæœđðþı]/g, (letter) => LETTERS[letter] ?? letter);
}

/**
 * The towns whose name begins with the text, those of that very name first, then the most populous. A region or a
 * country after a comma narrows them down.
 */
export function findTowns(
  all: readonly Town[],
  text: string,
  labelOf: (town: Town) => string,
  max: number,
): readonly Town[] {
  const [wanted = '', ...rest] = text.split(',').map(withoutAccents);
  if (wanted === '') return all.slice(0, max);
  const found = all.filter(
    (town) =>
      town.keys.some((key) => key.startsWith(wanted)) &&
      rest.every((part) => withoutAccents(labelOf(town)).includes(part)),
  );
  const isSame = ({ keys }: Town) => keys.includes(wanted);
  return [...found.filter(isSame), ...found.filter((town) => !isSame(town))].slice(0, max);
}

/** The city that names a time zone, else the largest one in it. */
export function townOfZone(all: readonly Town[], timeZone: string): Town | undefined {
  const inZone = all.filter((town) => town.timeZone === timeZone);
  const city = withoutAccents(timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? '');
  return inZone.find(({ keys }) => keys.includes(city)) ?? inZone[0];
}

/** The town that has these coordinates. */
export function townAt(all: readonly Town[], latitude: number, longitude: number): Town | undefined {
  return all.find((town) => town.latitude === latitude && town.longitude === longitude);
}
