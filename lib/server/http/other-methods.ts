import type { Route } from './route.ts';

/** The methods that a path takes, sorted; none where there is no such path. */
export function otherMethods(routes: readonly Route[], path: string): readonly string[] {
  const methods = routes.flatMap((route) => (matches(route.path, path) ? [route.method] : []));
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))].sort();
}

function matches(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]))
  );
}
