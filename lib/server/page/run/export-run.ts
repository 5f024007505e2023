import { request } from '../wire/call-api.ts';

/** Saves a run as a recording. Returns the error, if any. */
export async function exportRun(runId: string): Promise<string> {
  try {
    const response = await request('GET', `/api/runs/${encodeURIComponent(runId)}/recording`);
    if (!response.ok) {
      const { error } = await response.json().catch(() => ({ error: undefined }));
      return error?.message ?? `The server answered ${response.status}.`;
    }
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = `${runId.replace(/[^\w-]/g, '_')}.jsonl`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    return '';
  } catch {
    return 'The server does not respond.';
  }
}
