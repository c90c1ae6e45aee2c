/**
 * Presents errors of graphql-js in GraphQL's shape: its message, location and path with the relay's `extensions`. An
 * unexpected error becomes one sentence and the id under which the log has the cause.
 */
import { GraphQLError } from 'graphql';
import { HearthError } from '../../kernel/errors.ts';
import { internalError } from '../error-table.ts';
import { type PresentedError, presentFailure } from './refusal.ts';

/**
 * The errors of a response, in the order given. `onFailure` receives each error whose details the caller does not get:
 * unexpected ones, and failing storage.
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

/** The cause of an error of graphql-js: a `HearthError`, the client's mistake as one, or anything else. */
function causeOf(error: GraphQLError): unknown {
  const root = rootOf(error);
  if (!(root instanceof GraphQLError)) return root;
  // Errors of syntax, validation and variables come before any field (no path); those of a field's arguments have a
  // location in the document. Errors in result values have a path, and by themselves no location: a value that its type
  // can't present is the relay's mistake.
  const isClients = error.path === undefined || root.nodes !== undefined;
  return isClients ? new HearthError('invalid_request', error.message) : root;
}

function rootOf(error: Error): Error {
  return error instanceof GraphQLError && error.originalError ? rootOf(error.originalError) : error;
}

function placeOf({ locations, path }: GraphQLError): Pick<PresentedError, 'locations' | 'path'> {
  return { ...(locations && { locations }), ...(path && { path }) };
}
