/**
 * Existing clients declare `$value: String!` where the schema takes `JSON`, because the API document's examples are texts. By
 * the letter of the specification such a document is not valid. This rule lets a variable of any type stand where `JSON` is
 * taken, and an `ID` where a `String` is; about everything else it is GraphQL's own rule, which it stands in for.
 */
import {
  GraphQLID,
  type GraphQLInputType,
  type GraphQLList,
  type GraphQLNamedInputType,
  GraphQLNonNull,
  GraphQLString,
  isInputType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  type ValidationContext,
  type ValidationRule,
  VariablesInAllowedPositionRule,
} from 'graphql';
import { jsonScalar } from './scalars.ts';

type Nullable = GraphQLNamedInputType | GraphQLList<GraphQLInputType>;
type Usage = ReturnType<ValidationContext['getRecursiveVariableUsages']>[number];

export const LooseVariablesRule: ValidationRule = (context) => {
  const loosened: ValidationContext = Object.create(context, {
    getRecursiveVariableUsages: {
      value: (operation: OperationDefinitionNode) => {
        const declared = declaredTypes(context, operation);
        return context.getRecursiveVariableUsages(operation).map((usage) => loosen(usage, declared));
      },
    },
  });
  return VariablesInAllowedPositionRule(loosened);
};

/** What each variable was declared as, without its `!`. */
function declaredTypes(context: ValidationContext, operation: OperationDefinitionNode): Map<string, Nullable> {
  const types = new Map<string, Nullable>();
  for (const { variable, type } of operation.variableDefinitions ?? []) {
    const declared = typeFromAST(context.getSchema(), type);
    if (declared && isInputType(declared)) types.set(variable.name.value, nullable(declared));
  }
  return types;
}

/** A place that takes the variable becomes a place of the variable's own type; whether it may be null stays as it was. */
function loosen(usage: Usage, declared: ReadonlyMap<string, Nullable>): Usage {
  const own = declared.get(usage.node.name.value);
  const wanted = usage.type ? nullable(usage.type) : undefined;
  if (!own || !wanted || !takes(wanted, own)) return usage;
  return { ...usage, type: isNonNullType(usage.type) ? new GraphQLNonNull(own) : own };
}

function takes(wanted: Nullable, own: Nullable): boolean {
  // By name: the schema's scalar is one that the builder made from ours.
  if ('name' in wanted && wanted.name === jsonScalar.name) return true;
  return wanted === GraphQLString && own === GraphQLID;
}

function nullable(type: GraphQLInputType): Nullable {
  // The library's types do not say that nothing is non-null twice.
  return (isNonNullType(type) ? type.ofType : type) as Nullable;
}
