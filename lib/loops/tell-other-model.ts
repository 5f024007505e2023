import type { ModelRequest } from '../pipeline/define/model.ts';
import type { Logger } from '../pipeline/logger.ts';

/** Says that a hook has named another model (`preReasoning.model`), where the host alone chooses whom it asks. */
export function tellOtherModel({ model }: ModelRequest, log: Logger): void {
  if (model === undefined) return;
  log.warn(
    { model },
    'a hook asks for another model by name, which this loop cannot ask: the one of the host is asked',
  );
}
