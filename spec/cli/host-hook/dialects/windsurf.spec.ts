import { expect } from 'chai';
import { windsurf } from '../../../../lib/cli/host-hook/dialects/windsurf/windsurf.ts';
import { folder } from '../../hookline.ts';

describe('the dialect of Windsurf', () => {
  const at = folder({ 'secrets/a': '' });

  for (const [path, name] of [
    ['secrets/a', 'read_file'],
    ['secrets', 'search_text'],
    ['nothing', 'read_file'],
  ] as const)
    it(`reads ${path} as ${name}, because it reads folders with all that is in them`, () => {
      const tool_info = { file_path: `${at}/${path}` };
      const moment = windsurf.read({ agent_action_name: 'pre_read_code', trajectory_id: 't', tool_info });
      expect(moment.kind === 'call' && moment.use.call).to.include({ name });
      expect(moment.kind === 'call' && moment.use.call.input).to.deep.equal({ path: `${at}/${path}` });
    });
});
