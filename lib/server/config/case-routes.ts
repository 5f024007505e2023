import { defineRoute, type Route, type RouteGroup, routeGroup } from '../http/route.ts';
import { type PolicyCases, policyCasesSchema } from './policy-cases.ts';

/** Runs the cases of policies. */
export interface CaseDeps {
  /** Called for each request. It runs cases only if a file has changed, or after an error. Files of cases that are invalid are an `error`. */
  cases(): Promise<PolicyCases>;
}

const routes: readonly Route<CaseDeps>[] = [
  defineRoute({
    method: 'GET',
    path: '/api/hooks/cases',
    right: 'configure',
    summary: 'Runs the cases beside the configuration files in a dry run, and lists them with their results.',
    description:
      'Cases and rules may name commands, paths and people, so the list requires the right to configure hooks. Saved configurations do not apply.',
    responses: { 200: { description: 'The cases; none if there are no files of cases.', schema: policyCasesSchema } },
    handle: async ({ c }, { cases }: CaseDeps) => c.json(await cases()),
  }),
];

/** Routes of the cases of policies. */
export function caseRoutes(deps: CaseDeps): RouteGroup {
  return routeGroup(routes, deps);
}
