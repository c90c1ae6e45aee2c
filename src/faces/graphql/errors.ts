/**
 * Failures that graphql-js reports, in GraphQL's shape: its message, place and path with our `extensions`. What nobody expected is
 * answered by one sentence and the id under which the log tells the rest.
 */
import { GraphQLError } from 'graphql';
import { HearthError } from '../../kernel/errors.ts';
import { internalError } from '../error-table.ts';
import { type PresentedError, presentFailure } from './refusal.ts';

/**
 * The errors of an answer, in the order given. `onFailure` hears of each that the caller is told little of: what nobody
 * expected, and storage that fails.
 */
export function presentErrors(
  errors: readonly GraphQLError[],
  requestId: string,
  onFailure: (cause: unknown) => void,
): readonly PresentedError[] {
  return errors.map((error) => {
    const cause = causeOf(error);
    const known = cause instanceof HearthError ? cause : undefined;
    if (!known || known.code === 'internal' || known.code === 'storage_unavailable') onFailure(cause);
    const { message, extensions } = presentFailure(known ?? internalError(), requestId, error.message);
    return { message, ...placeOf(error), extensions };
  });
}

/** What lies behind an error of graphql-js: an error of ours, the client's mistake as one of ours, or anything else. */
function causeOf(error: GraphQLError): unknown {
  const root = rootOf(error);
  if (!(root instanceof GraphQLError)) return root;
  // Syntax, validation and variables fail before any field (no path), a field's arguments at a place in the document. What
  // fails on the way out has a path, and by itself no place: a value that its type can't show is our mistake.
  const isClients = error.path === undefined || root.nodes !== undefined;
  return isClients ? new HearthError('invalid_request', error.message) : root;
}

function rootOf(error: Error): Error {
  return error instanceof GraphQLError && error.originalError ? rootOf(error.originalError) : error;
}

function placeOf({ locations, path }: GraphQLError): Pick<PresentedError, 'locations' | 'path'> {
  return { ...(locations && { locations }), ...(path && { path }) };
}
