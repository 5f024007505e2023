import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { protocolSchema } from '../../../lib/process-hooks/index.ts';

/** Writes the JSON Schema next to the page about protocol 2. Run `npm run format` afterwards. */
const file = join(__dirname, '../../../samples/process-hook-2/protocol.schema.json');
writeFileSync(file, `${JSON.stringify(protocolSchema(), null, 2)}\n`);
