/** Another automation that an action refers to. It may no longer exist, or belong to another home. */
import { notFound } from '../../access/authorize.ts';
import type { Program } from '../program.ts';
import type { RunContext } from './action-kind.ts';

/** @throws `automation_not_found` */
export function requireProgram(run: RunContext, automationId: string): Program {
  const program = run.ports.automations.find(automationId);
  if (program === undefined || program.homeId !== run.program.homeId) throw notFound('automation_not_found');
  return program;
}
