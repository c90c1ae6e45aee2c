/** The queries and mutations of the scene pages. */
import { graphql, present, type ResultOf } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';

export const ScenesQuery = graphql(`
  query Scenes($homeId: String!) {
    scenes(homeId: $homeId) {
      id
      name
      isBuiltIn
      icon
      color
      actionSetType
      automationName
      actionList {
        accessoryId
        accessoryName
        characteristicType
        propertyName
        serviceId
        targetValue
      }
    }
  }
`);

export type Scene = NonNullable<NonNullable<ResultOf<typeof ScenesQuery>['scenes']>[number]>;
export type SceneAction = Scene['actionList'][number];

/** Apart from the scenes: a run changes nothing else of them. */
const SceneRunsQuery = graphql(`
  query SceneRuns($homeId: String!) {
    scenes(homeId: $homeId) {
      id
      lastRun {
        at
        success
        actor {
          kind
          name
        }
      }
    }
  }
`);

export const CaptureScene = graphql(`
  mutation CaptureScene($homeId: String!, $name: String!, $accessoryIds: [String!]) {
    captureScene(homeId: $homeId, name: $name, accessoryIds: $accessoryIds) {
      id
    }
  }
`);

export const CreateScene = graphql(`
  mutation CreateScene($homeId: String!, $name: String!, $actions: JSON!, $icon: String, $color: String) {
    createScene(homeId: $homeId, name: $name, actions: $actions, icon: $icon, color: $color) {
      id
    }
  }
`);

export const UpdateScene = graphql(`
  mutation UpdateScene($sceneId: String!, $name: String, $actions: JSON, $icon: String, $color: String) {
    updateScene(sceneId: $sceneId, name: $name, actions: $actions, icon: $icon, color: $color) {
      id
    }
  }
`);

export const DeleteScene = graphql(`
  mutation DeleteScene($sceneId: String!) {
    deleteScene(sceneId: $sceneId) {
      success
      error
      code
      reason
    }
  }
`);

export function useSceneList() {
  const { id } = useHome();
  const query = useApiQuery(ScenesQuery, { homeId: id }, { subjects: ['scenes'] });
  return { ...query, data: query.data && present(query.data.scenes) };
}

/** The latest run of a scene, if one is known. All scenes of a page share one request. */
export function useLastRun(sceneId: string) {
  const { id: homeId } = useHome();
  const { data } = useApiQuery(SceneRunsQuery, { homeId }, { subjects: ['scenes', 'activity'] });
  return present(data?.scenes).find(({ id }) => id === sceneId)?.lastRun ?? undefined;
}

/** Created by users: not by the relay or an automation. */
export function isOwn({ isBuiltIn, automationName }: Pick<Scene, 'isBuiltIn' | 'automationName'>): boolean {
  return !isBuiltIn && automationName === null;
}
