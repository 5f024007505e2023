import { marks } from '../model/mark-of.ts';
import type { Bar, Bin } from './bins.ts';
import { BOX, marblesIn } from './marbles.ts';
import type { Palette } from './palette.ts';
import type { Track } from './tracks.ts';

/** Draws the lines of a run. Its cost depends on the pixels, not on the events. */
export function drawLanes(
  pen: CanvasRenderingContext2D,
  tracks: readonly Track[],
  bins: readonly Bin[],
  width: number,
  palette: Palette,
): void {
  const marbles = marblesIn(palette);
  for (const [at, track] of tracks.entries()) {
    const bin = bins[at];
    if (!bin) continue;
    const middle = track.top + track.height / 2;
    pen.fillStyle = track.lane === undefined ? palette.band : palette.line;
    if (track.lane === undefined) pen.fillRect(0, track.top, width, track.height - 1);
    else pen.fillRect(0, Math.round(middle), width, 1);
    for (const bar of bin.bars) drawBar(pen, bar, middle, width, palette);
    drawDensity(pen, bin, track, palette);
    for (const { x, mark, count } of bin.marbles) {
      const marble = marbles[mark === 0 && count > 1 ? marks.length : mark] as HTMLCanvasElement;
      pen.drawImage(marble, x - BOX / 2, middle - BOX / 2, BOX, BOX);
    }
  }
}

function drawBar(
  pen: CanvasRenderingContext2D,
  { kind, from, to }: Bar,
  middle: number,
  width: number,
  palette: Palette,
): void {
  const [left, right] = [Math.max(from, -4), Math.min(to, width + 4)];
  if (right < left) return;
  if (kind === 'waiting') {
    pen.strokeStyle = palette.marks[3] as string;
    pen.lineWidth = 2;
    pen.setLineDash([4, 4]);
    pen.beginPath();
    pen.moveTo(left, middle + 0.5);
    pen.lineTo(right, middle + 0.5);
    pen.stroke();
    pen.setLineDash([]);
    return;
  }
  pen.fillStyle = kind === 'step' ? palette.step : palette.hooks;
  const height = kind === 'step' ? 12 : 6;
  const long = Math.max(right - left, 2);
  // Corners that are too small to see take the most time.
  if (long < 6) {
    pen.fillRect(left, middle - height / 2 + 0.5, long, height);
    return;
  }
  pen.beginPath();
  pen.roundRect(left, middle - height / 2 + 0.5, long, height, 2);
  pen.fill();
}

/** Eight steps are enough for the eye. */
const STEPS = 8;

function drawDensity(
  pen: CanvasRenderingContext2D,
  { density, touched }: Bin,
  { top, height }: Track,
  palette: Palette,
): void {
  if (density.length === 0) return;
  let most = 1;
  for (const count of density) if (count > most) most = count;
  const bottom = top + height - 3;
  const rise = (count: number) =>
    4 + ((height - 10) * Math.ceil((STEPS * Math.log1p(count)) / Math.log1p(most))) / STEPS;
  for (const [counts, colour] of [
    [density, palette.chunks],
    [touched, palette.touched],
  ] as const) {
    pen.fillStyle = colour;
    for (let x = 0; x < counts.length; ) {
      const count = counts[x] as number;
      const high = count === 0 ? 0 : rise(density[x] as number);
      let end = x + 1;
      while (end < counts.length && counts[end] !== 0 && count !== 0 && rise(density[end] as number) === high) end += 1;
      if (count > 0) pen.fillRect(x, bottom - high, Math.max(end - x, 2), high);
      x = end;
    }
  }
}
