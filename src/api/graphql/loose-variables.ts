/**
 * Existing clients declare `$value: String!` where the schema takes `JSON`, because the API document's examples are
 * strings. By the letter of the specification such a document is not valid. This rule allows a variable of any type in
 * place of `JSON`, an `ID` in place of a `String`, and a `JSON` in place of a string that holds JSON. Otherwise it is
 * GraphQL's own rule, which it replaces.
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
  TypeInfo,
  typeFromAST,
  type ValidationContext,
  type ValidationRule,
  type VariableNode,
  VariablesInAllowedPositionRule,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { isJsonText, jsonScalar } from './scalars.ts';

type Nullable = GraphQLNamedInputType | GraphQLList<GraphQLInputType>;
type Usage = ReturnType<ValidationContext['getRecursiveVariableUsages']>[number];

export const LooseVariablesRule: ValidationRule = (context) => {
  const loosened: ValidationContext = Object.create(context, {
    getRecursiveVariableUsages: {
      value: (operation: OperationDefinitionNode) => {
        const declared = declaredTypes(context, operation);
        const jsonTexts = [...declared.values()].some(isJson) ? variablesInJsonTexts(context) : NONE;
        return context.getRecursiveVariableUsages(operation).map((usage) => loosen(usage, declared, jsonTexts));
      },
    },
  });
  return VariablesInAllowedPositionRule(loosened);
};

/** The declared type of each variable, without its `!`. */
function declaredTypes(context: ValidationContext, operation: OperationDefinitionNode): Map<string, Nullable> {
  const types = new Map<string, Nullable>();
  for (const { variable, type } of operation.variableDefinitions ?? []) {
    const declared = typeFromAST(context.getSchema(), type);
    if (declared && isInputType(declared)) types.set(variable.name.value, nullable(declared));
  }
  return types;
}

const NONE: ReadonlySet<VariableNode> = new Set();

/** The variables of the document that are arguments which hold JSON as text. */
function variablesInJsonTexts(context: ValidationContext): ReadonlySet<VariableNode> {
  const found = new Set<VariableNode>();
  const typeInfo = new TypeInfo(context.getSchema());
  const visitor = {
    Variable(node: VariableNode): void {
      const argument = typeInfo.getArgument();
      if (argument && isJsonText(argument)) found.add(node);
    },
  };
  visit(context.getDocument(), visitWithTypeInfo(typeInfo, visitor));
  return found;
}

/**
 * A position that accepts the variable becomes a position of the variable's own type; its nullability stays the same.
 */
function loosen(usage: Usage, declared: ReadonlyMap<string, Nullable>, jsonTexts: ReadonlySet<VariableNode>): Usage {
  const own = declared.get(usage.node.name.value);
  const wanted = usage.type ? nullable(usage.type) : undefined;
  if (!own || !wanted) return usage;
  if (!takes(wanted, own) && !(isJson(own) && jsonTexts.has(usage.node))) return usage;
  return { ...usage, type: isNonNullType(usage.type) ? new GraphQLNonNull(own) : own };
}

function takes(wanted: Nullable, own: Nullable): boolean {
  return isJson(wanted) || (wanted === GraphQLString && own === GraphQLID);
}

/** By name: the builder creates the schema's scalar from this one. */
function isJson(type: Nullable): boolean {
  return 'name' in type && type.name === jsonScalar.name;
}

function nullable(type: GraphQLInputType): Nullable {
  // The library's types do not know that removing non-null twice is the same as once.
  return (isNonNullType(type) ? type.ofType : type) as Nullable;
}
