import type { Mutation } from './mutation.ts';

const redaction = [
  'redaction/scan',
  'redaction/stream/redact-stream.spec.ts',
  'redaction/stream/redaction.property.spec.ts',
];

/** Chunks in their order, text that is held back, and secrets that are taken out of it. */
export const streams: readonly Mutation[] = [
  {
    file: 'pipeline/run/observers.ts',
    from: 'if (chunk && queue.chunks >= MAX_CHUNKS) {',
    to: 'if (false) {',
    specs: ['pipeline/run', 'pipeline/create-pipeline.spec.ts'],
  },
  {
    file: 'pipeline/define/hold-back.ts',
    from: "held === '' ? '' : release(true);",
    to: "held === '' ? '' : release(false);",
    specs: ['pipeline/define/hold-back.spec.ts'],
  },
  {
    file: 'pipeline/define/hold-back.ts',
    from: "free !== '' || chunk.decision || chunk.notes ?",
    to: "free !== '' ?",
    specs: ['pipeline/define/hold-back.spec.ts', 'hooks/security-scan'],
  },
  {
    file: 'pipeline/chunks/handler-stage.ts',
    from: 'if (!chunk.last && !lane.admit(this.#inbox)) return;',
    to: 'if (!lane.admit(this.#inbox)) return;',
    specs: ['pipeline/chunks', 'pipeline/random-lane.property.spec.ts'],
  },
  {
    file: 'pipeline/chunks/handler-stage.ts',
    from: "if (hook.onFailure === 'skip') {",
    to: 'if (true) {',
    specs: ['pipeline/chunks', 'pipeline/behaviour-matrix.spec.ts'],
  },
  {
    file: 'redaction/redaction-stream.ts',
    from: 'if (start < end) addRegion(',
    to: 'if (false) addRegion(',
    specs: redaction,
  },
  {
    file: 'redaction/redaction-stream.ts',
    from: 'const cut = !final && isHigh(',
    to: 'const cut = false && isHigh(',
    specs: redaction,
  },
  {
    file: 'redaction/redaction-stream.ts',
    from: 'if (!whole && !region.fixed) return drop(at, out);',
    to: '',
    specs: redaction,
  },
  {
    file: 'redaction/scan/regions.ts',
    from: 'into.end = Math.max(into.end, other.end);',
    to: 'into.end = other.end;',
    specs: redaction,
  },
  {
    file: 'redaction/scan/regions.ts',
    from: 'cutsPair(text, to - base) ? to + 1 : to;',
    to: 'to;',
    specs: redaction,
  },
  {
    file: 'redaction/scan/judge.ts',
    from: 'if (rule.entropy !== undefined && entropy(secret) < rule.entropy) return undefined;',
    to: '',
    specs: ['redaction/scan'],
  },
  {
    file: 'redaction/scan/judge.ts',
    from: 'if (allow.some((test) => test.holds(sighting))) return undefined;',
    to: '',
    specs: ['redaction/scan'],
  },
  {
    file: 'redaction/scan/scanner.ts',
    from: 'pos = floor = to;',
    to: 'pos = to;',
    specs: [...redaction, 'redaction/fidelity.property.spec.ts', 'redaction/create-redactor.spec.ts'],
  },
  {
    file: 'redaction/show/replacer.ts',
    from: 'numbers.get(digest) ?? numbers.size + 1',
    to: 'numbers.size + 1',
    specs: ['redaction/show'],
  },
];
