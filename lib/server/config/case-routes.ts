import { defineRoute, type Route, type RouteGroup, routeGroup } from '../http/route.ts';
import { type PolicyCases, policyCasesSchema } from './policy-cases.ts';

/** Runs the cases of policies. */
export interface CaseDeps {
  cases(): Promise<PolicyCases>;
}

const routes: readonly Route<CaseDeps>[] = [
  defineRoute({
    method: 'GET',
    path: '/api/hooks/cases',
    right: 'configure',
    summary: 'Runs the cases beside the configuration files in a dry run, and lists them with their results.',
    responses: { 200: { description: 'The cases; none if there are no files of cases.', schema: policyCasesSchema } },
    handle: async ({ c }, { cases }: CaseDeps) => c.json(await cases()),
  }),
];

/** Routes of the cases of policies. */
export function caseRoutes(deps: CaseDeps): RouteGroup {
  return routeGroup(routes, deps);
}
