import { z } from 'zod';
import { Person } from '../../../contract/people.ts';
import { StateFilters } from '../../../contract/state.ts';
import { presentTime } from '../../present/time.ts';
import { listByKey } from './homes-by-key.ts';
import { type McpTool, READS } from './mcp-tool.ts';
import { describeHomes } from './places.ts';

const NOUN = { one: 'person', several: 'people' };

const { name, atHome, changedAt } = Person.shape;
const WirePerson = z.object({ name, at_home: atHome, changed_at: changedAt }).meta({ id: 'ListedPerson' });

const input = z.strictObject({ filter_by_home: StateFilters.shape.home });
const output = z.object({ _meta: z.object({ message: z.string() }) }).catchall(z.array(WirePerson));

/** Those of GET /rest/people, without their positions and accounts. */
export const getPeople: McpTool<typeof input, typeof output> = {
  name: 'get_people',
  title: 'Get people',
  description: (context) =>
    `Lists the people of homes by key, and who is at home: null if unknown.\n${describeHomes(context)}`,
  needs: 'view',
  annotations: READS,
  input,
  output,
  run(context, { filter_by_home }) {
    const { caller, deps } = context;
    const { lists, message } = listByKey(context, filter_by_home, NOUN, (home) =>
      deps.people.list(caller, home.id).map((person) => ({
        name: person.name,
        at_home: person.atHome,
        changed_at: presentTime(person.changedAt),
      })),
    );
    return { ...lists, _meta: { message } };
  },
};
