/**
 * The public part of GraphQL: signing in and signing up, whether the relay has an account at all, and the contents of
 * share links. Everything else is rejected on the syntax tree, before the schema is used, so that a stranger learns
 * nothing of it: no introspection, no suggestions, no field names.
 */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { HearthError } from '../../kernel/errors.ts';

/** Root fields of either kind of operation. */
const PUBLIC_FIELDS: ReadonlySet<string> = new Set([
  // Clients add it by themselves, and its value is only "Query" or "Mutation".
  '__typename',
  'isOnboarded',
  'relayReady',
  'authEnabled',
  'isWaitlistMode',
  'version',
  'health',
  'login',
  'signup',
  'beginPasskeySignIn',
  'signInWithPasskey',
  'publicEntity',
  'publicEntityAccessories',
  'publicHistorySeries',
  'publicHistory',
  'publicEntitySetCharacteristic',
  'publicEntitySetServiceGroup',
]);

/**
 * @throws `invalid_token` an operation of the document requests at its root, in a fragment or not, a field that is not
 * public. Operations that would not be executed count too.
 */
export function requirePublicFields(document: DocumentNode): void {
  if (!asksForPublicFields(document)) throw signInRequired();
}

export function signInRequired(): HearthError {
  return new HearthError('invalid_token', 'This needs an access token, in the header Authorization: Bearer <token>.');
}

function asksForPublicFields({ definitions }: DocumentNode): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  // Each fragment is walked once, so that cyclic spreads terminate.
  const walked = new Set<string>();
  const isPublic = ({ selections }: SelectionSetNode): boolean =>
    selections.every((selection) => {
      if (selection.kind === Kind.FIELD) return PUBLIC_FIELDS.has(selection.name.value);
      if (selection.kind === Kind.INLINE_FRAGMENT) return isPublic(selection.selectionSet);
      const { value: name } = selection.name;
      if (walked.has(name)) return true;
      walked.add(name);
      const fragment = fragments.get(name);
      return fragment !== undefined && isPublic(fragment.selectionSet);
    });
  const operations = definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  return (
    operations.length > 0 &&
    operations.every(
      ({ operation, selectionSet }) => operation !== OperationTypeNode.SUBSCRIPTION && isPublic(selectionSet),
    )
  );
}
