/**
 * Executes one operation, and stops waiting after a deadline. Work that has begun cannot be cancelled: a device may
 * still execute a command. After the response, no further work begins.
 */
import {
  type DocumentNode,
  defaultFieldResolver,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  OperationTypeNode,
} from 'graphql';
import type { Clock } from '../../kernel/clock.ts';
import { HearthError } from '../../kernel/errors.ts';
import type { GraphqlContext } from './context.ts';
import { MAX_DOCUMENT_ERRORS } from './limits.ts';

/**
 * Reads come from memory. Slow reads are history, which is read in slices, and a request to a device for its
 * controllers.
 */
const QUERY_DEADLINE_MS = 10_000;

/** Pairing, the slowest operation, has its own timeout of 30 seconds. */
const MUTATION_DEADLINE_MS = 60_000;

export interface GraphqlOperation {
  readonly document: DocumentNode;
  readonly type: OperationTypeNode;
  readonly name: string | null;
  readonly variables: Readonly<Record<string, unknown>> | null;
}

/** @throws `accessory_unreachable` the deadline has passed */
export function executeOperation(
  schema: GraphQLSchema,
  { document, type, name, variables }: GraphqlOperation,
  context: GraphqlContext,
  clock: Clock,
): ExecutionResult | Promise<ExecutionResult> {
  const result = execute({
    schema,
    document,
    operationName: name,
    variableValues: variables,
    contextValue: context,
    hideSuggestions: context.caller.principal.kind === 'anonymous',
    options: { maxCoercionErrors: MAX_DOCUMENT_ERRORS },
  });
  if (!(result instanceof Promise)) return result;
  const deadlineMs = type === OperationTypeNode.MUTATION ? MUTATION_DEADLINE_MS : QUERY_DEADLINE_MS;
  return within(clock, deadlineMs, result, () => context.request.close());
}

function within<T>(clock: Clock, deadlineMs: number, result: Promise<T>, onLate: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(deadlineMs, () => {
      onLate();
      reject(late(deadlineMs));
    });
    result.then(resolve, reject).finally(cancel);
  });
}

const guarded = new WeakSet<GraphQLSchema>();

/** From here on, every mutation of the schema first checks whether its request is still open. */
export function guardMutations(schema: GraphQLSchema): void {
  // The schema is created once, and used by every API of the process.
  if (guarded.has(schema)) return;
  guarded.add(schema);
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = (source, args, context: GraphqlContext, info) => {
      context.request.requireOpen();
      return resolve(source, args, context, info);
    };
  }
}

function late(deadlineMs: number): HearthError {
  return new HearthError(
    'accessory_unreachable',
    `There was no result within ${deadlineMs / 1000} seconds. What had begun may still be done; what had not will not be.`,
  );
}
