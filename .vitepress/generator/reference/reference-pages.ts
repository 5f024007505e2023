import { commandLinePage } from './command-line-page.ts';
import { configurationPage } from './configuration-page.ts';
import { errorsPage } from './errors-page.ts';
import { eventsPage } from './events-page.ts';
import { httpPage } from './http-page.ts';

/** A page that is generated from the code. */
export interface ReferencePage {
  readonly path: string;
  readonly label: string;
  readonly markdown: string;
}

/** Pages that are generated from the code, in the order of the sidebar. */
export function referencePages(): readonly ReferencePage[] {
  return [
    { path: 'reference/command-line', label: 'Command line', markdown: commandLinePage() },
    { path: 'reference/configuration', label: 'Configuration', markdown: configurationPage() },
    { path: 'reference/http', label: 'HTTP', markdown: httpPage() },
    { path: 'reference/errors', label: 'Error codes', markdown: errorsPage() },
    { path: 'reference/events', label: 'Events', markdown: eventsPage() },
  ];
}
