/** The automations of the home by name alone: for pages that lead to them. */
import { graphql, present } from '../../../api/graphql.ts';
import { useApiQuery } from '../../../api/query.ts';
import { useHome } from '../../../home/use-home.ts';
import { PAGE_OF } from '../../addresses.ts';

const AutomationNames = graphql(`
  query AutomationNames($homeId: String!) {
    automations(homeId: $homeId) {
      id
      name
    }
    flows(homeId: $homeId) {
      id
      name
    }
  }
`);

export interface NamedAutomation {
  readonly id: string;
  readonly name: string;
  /** Its page. */
  readonly href: string;
}

/** Empty until they are loaded. */
export function useNamedAutomations(enabled = true): readonly NamedAutomation[] {
  const { id: homeId } = useHome();
  const { data } = useApiQuery(AutomationNames, { homeId }, { subjects: ['automations'], enabled });
  return [
    ...present(data?.automations).map((each) => ({ ...each, href: PAGE_OF.automation(each.id) })),
    ...present(data?.flows).map((each) => ({ ...each, href: PAGE_OF.flow(each.id) })),
  ];
}
