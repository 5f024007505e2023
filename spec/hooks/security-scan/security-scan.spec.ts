import { expect } from 'chai';
import type { HookEvent, SettledEvent } from '../../../lib/events/hook-event.ts';
import { userMessage } from '../../../lib/events/parts/messages.ts';
import { toolResult } from '../../../lib/events/parts/tool-result.ts';
import type { ScanPolicy, ScanSurface } from '../../../lib/hooks/scanning/scan-policies.ts';
import { type SecurityScanOptions, securityScan } from '../../../lib/hooks/security-scan/security-scan.ts';
import { HookPriority } from '../../../lib/pipeline/define/hook.ts';
import { anEvent } from '../../../lib/testing/an-event.ts';
import { describeEvent } from '../../../lib/testing/describe-event.ts';
import { hookContract } from '../../../lib/testing/hook-contract.ts';
import { marbles } from '../../../lib/testing/marbles/marbles.ts';
import { toolCall } from '../../../lib/testing/tool-call.ts';
import { MARKER, SECRET, standInRedactor } from '../stand-in-redactor.ts';

const scan = (options: SecurityScanOptions = {}) => securityScan({ redactor: standInRedactor, ...options });
const policies = (surface: ScanSurface, policy: ScanPolicy) => scan({ policies: { [surface]: policy } });

/** The output of the hook for these events, in virtual time. */
function passed(hook: ReturnType<typeof scan>, ...events: readonly HookEvent[]): readonly SettledEvent[] {
  const out: SettledEvent[] = [];
  marbles(({ pass, cold }) => {
    pass(
      hook,
      cold(
        `(${'abcdefgh'.slice(0, events.length)}|)`,
        Object.fromEntries(events.map((one, at) => ['abcdefgh'[at], one])),
      ),
    ).subscribe((event) => void out.push(event));
  });
  return out;
}

const calling = (input: Parameters<typeof toolCall>[1]) => ({
  role: 'assistant' as const,
  parts: [{ type: 'toolCall' as const, toolCall: toolCall('bash', input) }],
});

/** For each surface that arrives whole: an event with the secret. */
const whole = {
  prompt: anEvent.preCall(`use ${SECRET}`),
  context: anEvent.preReasoning({ messages: [{ ...userMessage(`use ${SECRET}`), origin: 'memory' }] }),
  text: anEvent.postReasoning(`use ${SECRET}`, { finishReason: 'responded' }),
  thinking: anEvent.postReasoning({ role: 'assistant', parts: [{ type: 'thinking', text: `use ${SECRET}` }] }),
  toolInput: anEvent.preActing('bash', { command: `use ${SECRET}` }),
  toolResult: anEvent.postActing(toolResult(`use ${SECRET}`)),
} satisfies Partial<Record<ScanSurface, HookEvent>>;

describe('securityScan', () => {
  it('keeps the hook contract with chunks split anywhere', async () => {
    await hookContract(scan(), { texts: [`the key ${SECRET}, and KEY-`, `${SECRET}${SECRET}`], boundaries: true });
    await hookContract(scan({ policies: { prompt: 'block', context: 'block', text: 'report', toolInput: 'redact' } }));
    await hookContract(scan({ policies: { toolResult: 'block', toolInput: 'block', toolProgress: 'block' } }));
  });

  it('runs after rewriting hooks and before logging hooks, and blocks when it fails', () => {
    const { priority, onFailure: failure } = scan();
    expect(priority).to.be.above(HookPriority.POSTPROCESSING).and.below(HookPriority.LOGGING);
    expect(failure).to.equal('block');
  });

  describe('policies', () => {
    const defaults = {
      prompt: 'report',
      context: 'redact',
      text: 'redact',
      thinking: 'redact',
      toolInput: 'report',
      toolResult: 'redact',
    } as const;
    const decisions: Record<keyof typeof whole, string | undefined> = {
      prompt: 'abort',
      context: 'abort',
      text: 'abort',
      thinking: 'abort',
      toolInput: 'deny',
      toolResult: undefined,
    };

    for (const surface of Object.keys(whole) as (keyof typeof whole)[]) {
      const event = whole[surface];
      const at = (policy: ScanPolicy) => passed(policies(surface, policy), event)[0] as SettledEvent;

      it(`${surface}, off: is not scanned`, () => {
        expect(JSON.stringify(at('off'))).to.include(SECRET);
        expect(at('off').notes).to.equal(undefined);
      });

      it(`${surface}, report: stays unchanged and gets a note with the findings`, () => {
        const { notes = [], decision } = at('report');
        expect(JSON.stringify(at('report'))).to.include(SECRET);
        expect(decision).to.equal(undefined);
        expect(notes).to.have.length(1);
        expect(notes[0]).to.include({ by: 'security-scan', code: 'secret-reported' });
        expect(notes[0]?.data).to.deep.include({ surface, policy: 'report', rules: { key: 1 } });
      });

      it(`${surface}, redact: a marker replaces the secret`, () => {
        const event = at('redact');
        expect(JSON.stringify(event)).to.include(`use ${MARKER}`).and.not.include(SECRET);
        expect(event.decision).to.equal(undefined);
        expect(event.notes?.map(({ code }) => code)).to.deep.equal(['secret-redacted']);
      });

      it(`${surface}, block: is stopped and never shown`, () => {
        const event = at('block');
        expect(JSON.stringify(event)).to.not.include(SECRET);
        expect(event.decision?.action).to.equal(decisions[surface]);
        expect(JSON.stringify(event.decision ?? event), 'names the rule').to.include('key');
        if (surface === 'toolResult') expect(describeEvent(event)).to.include('isError "The result was withheld');
      });

      it(`${surface}: ${defaults[surface]} by default`, () => {
        expect(passed(scan(), event)).to.deep.equal([at(defaults[surface])]);
      });
    }

    it('reports the place of secrets but never their text', () => {
      const [event] = passed(scan(), anEvent.preCall(`${SECRET} and ${SECRET}`));
      expect(event?.notes).to.deep.equal([
        {
          by: 'security-scan',
          code: 'secret-reported',
          message: 'prompt: key (2 found)',
          data: {
            surface: 'prompt',
            policy: 'report',
            rules: { key: 2 },
            places: [
              { rule: 'key', start: 0, end: 12 },
              { rule: 'key', start: 17, end: 29 },
            ],
          },
        },
      ]);
    });

    it('passes on clean values as the same object', () => {
      const event = anEvent.postReasoning(calling({ command: 'ls', deep: [{ n: 1 }] }));
      const [out] = passed(scan({ policies: { toolInput: 'redact' } }), event) as [typeof event];
      expect(out.message).to.equal(event.message);
    });

    it('scans every string, key and number of arguments', () => {
      const input = { list: [`a ${SECRET}`, { [SECRET]: 1 }], n: 4, flag: true, none: null };
      const [out] = passed(policies('toolInput', 'redact'), anEvent.preActing('bash', input)) as [
        SettledEvent & { type: 'preActing' },
      ];
      expect(out.toolCall.input).to.deep.equal({ ...input, list: [`a ${MARKER}`, { [MARKER]: 1 }] });
    });

    it('removes a call with blocked arguments from the message too, and denies it', () => {
      const hook = policies('toolInput', 'block');
      const [said] = passed(hook, anEvent.postReasoning(calling({ command: SECRET })));
      expect(JSON.stringify(said)).to.include(MARKER).and.not.include(SECRET);
      expect(said?.decision).to.equal(undefined);
    });

    it('scans media addresses and artifact tags in a result', () => {
      const media = [
        { url: `https://x.test/?key=${SECRET}`, mediaType: 'image/png' },
        { url: `data:image/png;base64,${SECRET}` },
      ];
      const event = anEvent.postActing({
        content: 'ok',
        isError: false,
        media,
        artifactTags: [`[file:/${SECRET}]`, 'b'],
      });
      const [out] = passed(scan(), event) as [SettledEvent & { type: 'postActing' }];
      expect(out.result.media).to.deep.equal([{ ...media[0], url: `https://x.test/?key=${MARKER}` }, media[1]]);
      expect(out.result.artifactTags).to.deep.equal([`[file:/${MARKER}]`, 'b']);
      expect(out.notes?.[0]?.message).to.equal('toolResult: key (2 found)');
    });

    it('scans the part of a result for the user', () => {
      const event = anEvent.postActing({ content: 'ok', isError: false, forUser: `use ${SECRET}`, silent: true });
      const [out] = passed(scan(), event) as [SettledEvent & { type: 'postActing' }];
      expect(out.result).to.deep.equal({ content: 'ok', isError: false, forUser: `use ${MARKER}`, silent: true });
    });

    it('scans steering, which skips preCall, but reports a prompt once', () => {
      const request = anEvent.preReasoning({ messages: [userMessage('hi'), userMessage(`use ${SECRET}`)] });
      const [first, second] = passed(scan(), request, request);
      expect(first?.notes).to.have.length(1);
      expect(second?.notes).to.equal(undefined);
      const [blocked] = passed(policies('prompt', 'block'), request);
      expect(blocked?.decision?.action).to.equal('abort');
    });

    it('redacts earlier conversation in the request without stopping it', () => {
      const messages = [
        userMessage(SECRET),
        { ...calling({}), parts: [{ type: 'text' as const, text: SECRET }] },
        userMessage('go on'),
      ];
      const [out] = passed(policies('prompt', 'block'), anEvent.preReasoning({ messages }));
      expect(out?.decision).to.equal(undefined);
      expect(JSON.stringify(out)).to.not.include(SECRET);
    });

    it('leaves the instructions of the agent alone', () => {
      const event = anEvent.preReasoning({ messages: [{ role: 'system', parts: [{ type: 'text', text: SECRET }] }] });
      expect(JSON.stringify(passed(scan(), event))).to.include(SECRET);
    });
  });
});
