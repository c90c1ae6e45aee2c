/** The relay itself: its status, and actions that clients used to need but that the relay now does by itself. */
import { z } from 'zod';
import { WebSocketError } from '../error-codes.ts';
import { action, type SocketAction } from './action.ts';

export const RELAY_ACTIONS = {
  ping: action(z.object({}), (_, { deps: { clock } }) => ({ pong: true, timestamp: clock.now() })),
  'relay.probe': action(z.object({ homeId: z.string() }), ({ homeId }, { caller, deps: { homes, state } }) => {
    const { id } = homes.get(caller, homeId);
    const accessories = state.accessories(id);
    const connected = state.isConnected(id);
    return {
      ok: connected,
      homeId: id,
      connected,
      accessoryCount: accessories.length,
      reachableCount: accessories.filter(({ reachable }) => reachable).length,
    };
  }),
  // The relay subscribes to accessories all the time.
  'observe.start': observing(),
  'observe.stop': observing(),
  'observe.reset': observing(),
  'automation.sync': missing('Automations are kept here: save one with automation.create, or a flow with /rest/flows.'),
  'automation.sync_all': missing('Automations are kept here: read them with automations.list, flows with /rest/flows.'),
  'automation.unload': missing('Automations are kept here: switch one off with automation.disable.'),
  'debug.getActivity': missing('There is no activity list; see the relay’s log.'),
  'app.reload': missing('There is no app to reload: the relay is a daemon.'),
} satisfies Readonly<Record<string, SocketAction>>;

function observing(): SocketAction {
  return action(z.object({}), () => ({ success: true, observing: true }));
}

/** An action that other relays have and that this one does not support. */
function missing(sentence: string): SocketAction {
  return () => {
    throw new WebSocketError('UNKNOWN_ACTION', sentence);
  };
}
