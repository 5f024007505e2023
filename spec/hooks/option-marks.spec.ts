import { expect } from 'chai';
import { z } from 'zod';
import { auditLogOptionsSchema } from '../../lib/hooks/audit-log/audit-log.ts';
import { monitorOptionsSchema } from '../../lib/hooks/monitor/monitor-options.ts';
import { permissionOptionsSchema } from '../../lib/hooks/permission/permission-options.ts';
import { ragOptionsSchema } from '../../lib/hooks/rag/rag-options.ts';
import { recorderOptionsSchema } from '../../lib/hooks/recorder/run-recorder.ts';
import { securityScanOptionsSchema } from '../../lib/hooks/security-scan/security-scan.ts';
import { skillsOptionsSchema } from '../../lib/hooks/skills/skills.ts';
import { streamingOptionsSchema } from '../../lib/hooks/streaming/streaming-options.ts';
import { toolParamsOptionsSchema } from '../../lib/hooks/tool-params/tool-params.ts';
import { webhookOptionsSchema } from '../../lib/hooks/webhook/webhook-options.ts';
import { wordFilterOptionsSchema } from '../../lib/hooks/word-filter/word-filter-options.ts';
import { processHookOptionsSchema } from '../../lib/process-hooks/picoclaw/options.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** The places in a schema with a mark, read from its JSON Schema. */
function marked(schema: z.ZodType, mark: string): string[] {
  const places: string[] = [];
  const visit = (part: Schema, place: string): void => {
    if (part[mark] === true) places.push(place);
    for (const [name, member] of Object.entries(part.properties ?? {})) visit(member as Schema, `${place}.${name}`);
    if (part.items) visit(part.items as Schema, `${place}[]`);
    if (typeof part.additionalProperties === 'object') visit(part.additionalProperties as Schema, `${place}.*`);
  };
  visit(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '');
  return places.sort();
}

describe('the marks of options', () => {
  it('name options with secrets', () => {
    expect(marked(auditLogOptionsSchema, 'secret')).to.deep.equal(['.chainKey']);
    expect(marked(securityScanOptionsSchema, 'secret')).to.deep.equal(['.key', '.known[].value']);
    expect(marked(toolParamsOptionsSchema, 'secret')).to.deep.equal(['.params[].seal.*.value']);
    expect(marked(webhookOptionsSchema, 'secret')).to.deep.equal(['.headers.*', '.secret']);
    expect(marked(processHookOptionsSchema, 'secret')).to.deep.equal(['.env.*']);
  });

  it('name options that use this machine or are for its operator only', () => {
    expect(marked(auditLogOptionsSchema, 'local')).to.deep.equal(['.file']);
    expect(marked(webhookOptionsSchema, 'local')).to.deep.equal(['.headers', '.url']);
    expect(marked(streamingOptionsSchema, 'local')).to.deep.equal(['.file']);
    expect(marked(monitorOptionsSchema, 'local')).to.deep.equal(['.file']);
    expect(marked(wordFilterOptionsSchema, 'local')).to.deep.equal(['.files']);
    expect(marked(permissionOptionsSchema, 'local')).to.deep.equal(['.alwaysFile', '.files']);
    expect(marked(ragOptionsSchema, 'local')).to.deep.equal(['.folder']);
    expect(marked(recorderOptionsSchema, 'local')).to.deep.equal(['.folder', '.raw']);
    expect(marked(securityScanOptionsSchema, 'local')).to.deep.equal(['.environment', '.extraRules']);
    expect(marked(skillsOptionsSchema, 'local')).to.deep.equal(['.folders']);
    expect(marked(toolParamsOptionsSchema, 'local')).to.deep.equal(['.params']);
    expect(marked(processHookOptionsSchema, 'local')).to.deep.equal(['.command', '.dir']);
  });

  it('name files that only one hook may write', () => {
    expect(marked(streamingOptionsSchema, 'alone')).to.deep.equal(['.file']);
    expect(marked(monitorOptionsSchema, 'alone')).to.deep.equal(['.file']);
  });

  it('are in meta() of the option, with its description', () => {
    expect(auditLogOptionsSchema.shape.file.meta()).to.have.all.keys('local', 'description');
    expect(auditLogOptionsSchema.shape.chainKey.meta()).to.have.all.keys('secret', 'description');
    expect(securityScanOptionsSchema.shape.environment.meta()).to.have.all.keys('local', 'description');
    expect(processHookOptionsSchema.shape.command.meta()).to.have.all.keys('local', 'description');
  });
});
