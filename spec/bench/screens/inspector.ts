import type { Browser } from 'playwright-core';
import { launch, type OpenedPage, openPage } from '../../server/page/a-browser.ts';
import { longRecording } from '../../server/page/a-recording.ts';
import { aScreen } from '../../server/page/a-screen.ts';
import type { BenchResult } from '../result.ts';

const [FEW, MANY] = [1_000, 50_000];
const TURNS = 5;

/** A recorded run on the page, in chromium: until it is there, against reading its JSON; and a frame of many events, against one of few. */
export async function inspectorBench(): Promise<BenchResult[]> {
  const browser = await launch();
  const screen = await aScreen();
  try {
    const at = `${screen.listening.url}/#/file`;
    const ready: number[] = [];
    const pans: number[][] = [];
    const steps: number[][] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const few = await opened(browser, at, FEW);
      const many = await opened(browser, at, MANY);
      ready.push(many.readyMs / (await parseMs(many.page)));
      pans.push([await frameMs(few.page, 'pan'), await frameMs(many.page, 'pan')]);
      steps.push([await frameMs(few.page, 'step'), await frameMs(many.page, 'step')]);
      for (const { page } of [few, many]) await page.context().close();
    }
    const ratio = (frames: readonly number[][]) => best(frames, 1) / best(frames, 0);
    return [
      {
        name: '50,000 events of a recording ready on the page, against JSON.parse of them',
        unit: 'times',
        value: Math.min(...ready),
        most: 3,
      },
      {
        name: 'a frame of 50,000 events, against one of 1,000, moving along the lanes',
        unit: 'times',
        value: ratio(pans),
        most: 2,
      },
      { name: 'the same, going from event to event', unit: 'times', value: ratio(steps), most: 2 },
    ];
  } finally {
    await browser.close();
    await screen.close();
  }
}

const best = (frames: readonly number[][], of: number) => Math.min(...frames.map((pair) => pair[of] as number));

/** Opens a recording of so many events, and tells how long it took until the page had them all. */
async function opened(browser: Browser, url: string, events: number): Promise<{ page: OpenedPage; readyMs: number }> {
  const page = await openPage(browser, url);
  await page.evaluate(`window.recording = ${JSON.stringify(longRecording(events))}`);
  const readyMs = await page.evaluate<number>(`new Promise((resolve) => {
    const files = new DataTransfer();
    files.items.add(new File([window.recording], 'run.jsonl'));
    const input = document.querySelector('input[type=file]');
    input.files = files.files;
    const began = performance.now();
    new MutationObserver((_, watching) => {
      if (![...document.querySelectorAll('.facts dd')].some((one) => one.textContent === '${events.toLocaleString('en-US')}')) return;
      watching.disconnect();
      resolve(performance.now() - began);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    input.dispatchEvent(new Event('change', { bubbles: true }));
  })`);
  return { page, readyMs };
}

/** How long the browser takes for the JSON of the recording alone. */
async function parseMs(page: OpenedPage): Promise<number> {
  return page.evaluate<number>(`(() => {
    const lines = window.recording.split('\\n').filter(Boolean);
    const times = [1, 2, 3].map(() => {
      const began = performance.now();
      for (const line of lines) JSON.parse(line);
      return performance.now() - began;
    });
    return Math.min(...times);
  })()`);
}

/** The median of a frame: a key, what the page makes of it, and the lanes in pixels. */
async function frameMs(page: OpenedPage, what: 'pan' | 'step'): Promise<number> {
  const keys = what === 'pan' ? ['ArrowRight', 'ArrowLeft'] : ['j', 'k'];
  return page.evaluate<number>(`(async () => {
    const press = (key) => dispatchTo(document.body, key);
    const dispatchTo = (target, key) => target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    const channel = new MessageChannel();
    const turn = () => new Promise((resolve) => {
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(0);
    });
    press('0');
    for (const key of ['+', '+']) press(key);
    await turn();
    const times = [];
    for (let at = 0; at < 60; at += 1) {
      const began = performance.now();
      press(${JSON.stringify(keys)}[at % 2]);
      await turn();
      document.querySelector('.lanes-area canvas').getContext('2d').getImageData(0, 0, 1, 1);
      times.push(performance.now() - began);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return times.sort((a, b) => a - b)[30];
  })()`);
}
