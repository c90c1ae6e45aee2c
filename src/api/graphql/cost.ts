/**
 * Estimates the cost of an operation, in fields of the response, from its shape and for a home of ordinary size. The
 * shape and not the home decides, so that a query which works today still does after the next lamp is installed. A home
 * of five hundred accessories returns five times the estimate, which is acceptable. The limit stops requests that read
 * the whole home many times over.
 *
 * Linear in the document: a fragment costs the same wherever it is spread, and is estimated once.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { HearthError } from '../../kernel/errors.ts';

/**
 * The whole home once, with every field of accessories, services and characteristics, is about 100,000; with the fields
 * that programs request, eight times. In the largest known home (500 accessories) it takes a few tenths of a second.
 */
const MAX_COST = 120_000;

/**
 * Entries of a list in an ordinary home, by `Type.field` or else by the type in the list. A test compares the names
 * with the schema.
 */
export const LIST_SIZES: Readonly<Record<string, number>> = {
  PlatformHome: 2,
  CachedHome: 2,
  PlatformRoom: 10,
  'Query.accessories': 200,
  'PlatformHome.accessories': 100,
  'PlatformRoom.accessories': 10,
  PlatformService: 3,
  PlatformCharacteristic: 6,
  AutomationEvent: 3,
  AutomationCondition: 3,
  AutomationAction: 5,
  TraceStep: 10,
  NotificationLogInfo: 50,
  EnergyBucket: 100,
  EnergyPrice: 200,
  HistorySeriesInfo: 300,
  HistorySeriesData: 6,
  HistoryPoint: 500,
  HistoryStateSpan: 500,
  HistoryStateBucket: 500,
  // The schema itself, for introspection: its size is the bound.
  __Type: 100,
  '__Type.interfaces': 1,
  '__Type.possibleTypes': 3,
  __Field: 6,
  __InputValue: 2,
  __EnumValue: 4,
  __Directive: 6,
};

/** Anything else: scenes, groups, tokens, pairings. */
const LIST_SIZE = 20;

/**
 * Costs of single values that are as long as a list: an export is 200,000 lines, and a request may contain only one.
 */
const VALUE_COSTS: Readonly<Record<string, number>> = {
  'Query.exportHistory': 100_000,
  'Query.exportEnergy': 20_000,
  // JSON strings with up to 500 entries.
  'PlatformScene.actions': 250,
  'Collection.payload': 250,
  // Up to 256 KiB each, most of it the actions and the positions in the editor.
  'Flow.actions': 100,
  'Flow.triggers': 50,
  'Flow.uiState': 100,
  'Flow.dataJson': 250,
  'FlowVersion.definition': 250,
  'TraceAutomation.definition': 250,
  // Some milliseconds of work at most, for one short value.
  'Query.evaluateExpression': 10_000,
};

/** @throws `invalid_request` an operation of the document costs too much. The document is valid. */
export function checkCost(document: DocumentNode, schema: GraphQLSchema): void {
  const costs = new Costs(document, schema);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const root = schema.getRootType(definition.operation);
    const cost = root ? costs.ofSelections(definition.selectionSet, root) : 0;
    if (cost <= MAX_COST) continue;
    throw new HearthError(
      'invalid_request',
      'The operation asks for too much at once: choose fewer fields, or ask home by home or room by room.',
    );
  }
}

class Costs {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #fragmentCosts = new Map<string, number>();

  constructor({ definitions }: DocumentNode, schema: GraphQLSchema) {
    this.#schema = schema;
    this.#fragments = new Map(
      definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
      ),
    );
  }

  ofSelections({ selections }: SelectionSetNode, parent: GraphQLCompositeType): number {
    return selections.reduce((sum, selection) => sum + this.#ofSelection(selection, parent), 0);
  }

  #ofSelection(selection: SelectionNode, parent: GraphQLCompositeType): number {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#ofFragment(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return this.ofSelections(selection.selectionSet, this.#composite(selection.typeCondition?.name.value) ?? parent);
    }
    const field = findField(parent, selection.name.value);
    const type = field && getNamedType(field.type);
    const path = `${parent.name}.${selection.name.value}`;
    const own = VALUE_COSTS[path] ?? 1;
    if (!field || !selection.selectionSet || !isCompositeType(type)) return own;
    return own + entriesOf(field.type, path) * this.ofSelections(selection.selectionSet, type);
  }

  #ofFragment(name: string): number {
    const known = this.#fragmentCosts.get(name);
    if (known !== undefined) return known;
    const fragment = this.#fragments.get(name);
    const type = this.#composite(fragment?.typeCondition.name.value);
    const cost = fragment && type ? this.ofSelections(fragment.selectionSet, type) : 0;
    this.#fragmentCosts.set(name, cost);
    return cost;
  }

  #composite(name: string | undefined): GraphQLCompositeType | undefined {
    const type = name === undefined ? undefined : this.#schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }
}

function findField(parent: GraphQLCompositeType, name: string): GraphQLField<unknown, unknown> | undefined {
  if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
  if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

/** The number of objects behind a field: 1 unless it is a list. */
function entriesOf(type: GraphQLOutputType, path: string): number {
  const nullable = getNullableType(type);
  if (!isListType(nullable)) return 1;
  return LIST_SIZES[path] ?? LIST_SIZES[getNamedType(nullable).name] ?? LIST_SIZE;
}
