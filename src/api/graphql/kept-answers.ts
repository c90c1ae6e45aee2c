/**
 * Answers to queries that ask for nothing but homes, rooms and accessories, which clients poll and the dashboard asks
 * for whenever it is opened. Such an answer is the same for every caller with the same roles until the state's next
 * revision, so it is executed once and kept as bytes.
 *
 * The fields are listed one by one: a new field is not kept before someone has seen that it depends on nothing else.
 */
import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

const KEPT_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  Query: new Set(['homes', 'home', 'rooms', 'accessories', 'accessory']),
  PlatformHome: new Set([
    'id',
    'name',
    'key',
    'connected',
    'role',
    'isPrimary',
    'isAdmin',
    'roomCount',
    'accessoryCount',
    'paused',
    'privileges',
    'timeZone',
    'latitude',
    'longitude',
    'radius',
    'rooms',
    'accessories',
  ]),
  PlatformRoom: new Set(['id', 'homeId', 'name', 'isDefault', 'color', 'pictureHash', 'accessoryCount', 'accessories']),
  // Not those of virtual accessories: what remains of a timer changes with the clock.
  PlatformAccessory: new Set([
    'id',
    'name',
    'homeId',
    'roomId',
    'roomName',
    'type',
    'category',
    'icon',
    'reachable',
    'isReachable',
    'lastSeenAt',
    'vanishedAt',
    'deviceId',
    'aid',
    'isVirtual',
    'services',
  ]),
  PlatformService: new Set([
    'id',
    'name',
    'type',
    'serviceType',
    'isPrimary',
    'isHidden',
    'linkedServices',
    'characteristics',
  ]),
  PlatformCharacteristic: new Set([
    'id',
    'type',
    'characteristicType',
    'value',
    'description',
    'format',
    'unit',
    'minValue',
    'maxValue',
    'minStep',
    'stepValue',
    'validValues',
    'canRead',
    'canWrite',
    'isReadable',
    'isWritable',
  ]),
};

/** Of every type, and the same for ever. */
const TYPE_NAME = '__typename';
/** The dashboard's, and those of a few integrations; one answer of a large home has a megabyte. */
const MAX_ANSWERS = 4;

export interface KeptBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same, compressed, once a client took it so. */
  gzipped?: Promise<Uint8Array<ArrayBuffer>>;
}

export class KeptAnswers {
  readonly #schema: GraphQLSchema;
  readonly #keepable = new WeakMap<DocumentNode, boolean>();
  /** Least recently used first. */
  readonly #answers = new Map<string, KeptBytes & { readonly revision: number }>();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** Whether every operation of the document asks for kept fields only. */
  isKeepable(document: DocumentNode): boolean {
    let keepable = this.#keepable.get(document);
    if (keepable === undefined) {
      keepable = hasOnlyKeptFields(document, this.#schema);
      this.#keepable.set(document, keepable);
    }
    return keepable;
  }

  /** @param key everything that the answer depends on, but the state */
  get(key: string, revision: number): KeptBytes | undefined {
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    this.#answers.delete(key);
    if (answer.revision !== revision) return undefined;
    this.#answers.set(key, answer);
    return answer;
  }

  put(key: string, revision: number, text: string): KeptBytes {
    const answer = { bytes: Buffer.from(text), revision };
    this.#answers.set(key, answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MAX_ANSWERS && oldest !== undefined) this.#answers.delete(oldest);
    return answer;
  }
}

function hasOnlyKeptFields(document: DocumentNode, schema: GraphQLSchema): boolean {
  const types = new TypeInfo(schema);
  let keepable = true;
  const Field = ({ name: { value: field } }: { readonly name: { readonly value: string } }): void => {
    const parent = types.getParentType()?.name ?? '';
    if (field !== TYPE_NAME && !KEPT_FIELDS[parent]?.has(field)) keepable = false;
  };
  visit(document, visitWithTypeInfo(types, { Field }));
  return keepable;
}
