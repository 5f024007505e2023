import * as ai5 from 'ai5';
import * as ai6 from 'ai6';
import * as ai6latest from 'ai6latest';
import * as ai7 from 'ai7';

/** A client of the UI message stream: the parts of the AI SDK that all versions share. */
export interface Client {
  readonly name: string;
  /** The stream version for this client. */
  readonly version: 5 | 6 | 7;
  readonly sdk: typeof ai6latest;
}

/** The supported versions. */
export const clients: readonly Client[] = [
  { name: 'ai 5.0.0', version: 5, sdk: ai5 as unknown as typeof ai6latest },
  { name: 'ai 6.0.0', version: 6, sdk: ai6 as unknown as typeof ai6latest },
  { name: 'ai 6.0.326', version: 6, sdk: ai6latest },
  { name: 'ai 7', version: 7, sdk: ai7 as unknown as typeof ai6latest },
];
