/** Measures an operation with its fragments written out. It only counts; `limits.ts` has the limits. */
import {
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { HearthError } from '../../kernel/errors.ts';

export interface Measure {
  /** Nested fields, without introspection. */
  readonly depth: number;
  readonly introspectionDepth: number;
  readonly fields: number;
  readonly rootFields: number;
  readonly aliases: number;
  readonly aliasesByField: ReadonlyMap<string, number>;
  readonly spreads: number;
  readonly directives: number;
}

type MutableMeasure = { -readonly [K in keyof Measure]: Measure[K] } & { readonly aliasesByField: Map<string, number> };

/**
 * One measure per operation, and one per fragment: unused fragments are validated like the others.
 * @throws `invalid_request` a fragment that spreads itself, directly or through others
 */
export function measureDocument(document: DocumentNode): readonly Measure[] {
  const walk = new DocumentWalk(document);
  return document.definitions.flatMap((definition) => walk.ofDefinition(definition) ?? []);
}

/** Fields through which a query reads the schema instead of the home. */
const INTROSPECTION = new Set(['__schema', '__type']);

class DocumentWalk {
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  /** `null` while the fragment is being walked: a spread that finds it then is a cycle. */
  readonly #measured = new Map<string, Measure | null>();

  constructor({ definitions }: DocumentNode) {
    for (const definition of definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition);
    }
  }

  ofDefinition(definition: DefinitionNode): Measure | undefined {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      const measure = this.#ofFragment(definition.name.value);
      // On `__Type` and the like, the fragment belongs to an introspection, wherever it is used.
      if (!definition.typeCondition.name.value.startsWith('__')) return measure;
      return { ...measure, depth: 0, introspectionDepth: measure.depth };
    }
    if (definition.kind !== Kind.OPERATION_DEFINITION) return undefined;
    const measure = this.#ofSelections(definition.selectionSet);
    measure.directives += definition.directives?.length ?? 0;
    return measure;
  }

  #ofSelections({ selections }: SelectionSetNode): MutableMeasure {
    const measure = nothing();
    for (const selection of selections) {
      measure.directives += selection.directives?.length ?? 0;
      add(measure, this.#ofSelection(selection));
    }
    return measure;
  }

  #ofSelection(selection: SelectionNode): Measure {
    if (selection.kind === Kind.INLINE_FRAGMENT) return this.#ofSelections(selection.selectionSet);
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const measure = nothing();
      add(measure, this.#ofFragment(selection.name.value));
      measure.spreads += 1;
      return measure;
    }
    const { name, alias, selectionSet } = selection;
    const measure = selectionSet ? this.#ofSelections(selectionSet) : nothing();
    measure.fields += 1;
    measure.rootFields = 1;
    if (INTROSPECTION.has(name.value)) {
      measure.introspectionDepth = Math.max(measure.depth, measure.introspectionDepth) + 1;
      measure.depth = 0;
    } else {
      measure.depth += 1;
    }
    if (alias && alias.value !== name.value) {
      measure.aliases += 1;
      count(measure.aliasesByField, name.value, 1);
    }
    return measure;
  }

  #ofFragment(name: string): Measure {
    const known = this.#measured.get(name);
    if (known) return known;
    if (known === null) throw new HearthError('invalid_request', `The fragment "${name}" spreads itself.`);
    const fragment = this.#fragments.get(name);
    // Validation reports an unknown fragment.
    if (!fragment) return nothing();
    this.#measured.set(name, null);
    const measure = this.#ofSelections(fragment.selectionSet);
    measure.directives += fragment.directives?.length ?? 0;
    this.#measured.set(name, measure);
    return measure;
  }
}

function nothing(): MutableMeasure {
  return {
    depth: 0,
    introspectionDepth: 0,
    fields: 0,
    rootFields: 0,
    aliases: 0,
    aliasesByField: new Map(),
    spreads: 0,
    directives: 0,
  };
}

/** Adds siblings: counts sum up, depths do not. */
function add(total: MutableMeasure, part: Measure): void {
  total.depth = Math.max(total.depth, part.depth);
  total.introspectionDepth = Math.max(total.introspectionDepth, part.introspectionDepth);
  total.fields += part.fields;
  total.rootFields += part.rootFields;
  total.aliases += part.aliases;
  total.spreads += part.spreads;
  total.directives += part.directives;
  for (const [field, aliases] of part.aliasesByField) count(total.aliasesByField, field, aliases);
}

function count(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
