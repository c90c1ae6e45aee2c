/** The queries and mutations of the pages about blueprints. */
import { graphql } from '../../../api/graphql.ts';

export const BlueprintsQuery = graphql(`
  query Blueprints($homeId: String!, $language: String) {
    blueprints(homeId: $homeId, language: $language) {
      id
      icon
      missing
      choices
      blueprint
    }
  }
`);

export const ReadBlueprint = graphql(`
  query ReadBlueprint($homeId: String!, $file: String!) {
    readBlueprint(homeId: $homeId, file: $file) {
      id
      icon
      missing
      choices
      blueprint
    }
  }
`);

export const PreviewBlueprint = graphql(`
  query PreviewBlueprint(
    $homeId: String!
    $blueprintId: String
    $blueprint: JSON
    $inputs: JSON!
    $language: String
  ) {
    previewBlueprint(
      homeId: $homeId
      blueprintId: $blueprintId
      blueprint: $blueprint
      inputs: $inputs
      language: $language
    ) {
      name
      automation
    }
  }
`);

export const ApplyBlueprint = graphql(`
  mutation ApplyBlueprint(
    $homeId: String!
    $blueprintId: String
    $blueprint: JSON
    $inputs: JSON!
    $language: String
    $name: String
  ) {
    applyBlueprint(
      homeId: $homeId
      blueprintId: $blueprintId
      blueprint: $blueprint
      inputs: $inputs
      language: $language
      name: $name
    ) {
      id
      name
    }
  }
`);

export const ExportBlueprint = graphql(`
  query ExportBlueprint($automationId: String!, $name: String, $description: String, $language: String) {
    exportBlueprint(automationId: $automationId, name: $name, description: $description, language: $language)
  }
`);
