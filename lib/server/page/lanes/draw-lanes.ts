import type { Bar, Bin, Marble } from './bins.ts';
import type { Palette } from './palette.ts';
import type { Track } from './tracks.ts';

/** Draws the lines of a run. What it costs goes by the pixels, not by the events. */
export function drawLanes(
  pen: CanvasRenderingContext2D,
  tracks: readonly Track[],
  bins: readonly Bin[],
  width: number,
  palette: Palette,
): void {
  for (const [at, track] of tracks.entries()) {
    const bin = bins[at];
    if (!bin) continue;
    const middle = track.top + track.height / 2;
    pen.fillStyle = track.lane === undefined ? palette.band : palette.line;
    if (track.lane === undefined) pen.fillRect(0, track.top, width, track.height - 1);
    else pen.fillRect(0, Math.round(middle), width, 1);
    for (const bar of bin.bars) drawBar(pen, bar, middle, width, palette);
    drawDensity(pen, bin, track, palette);
    for (const marble of bin.marbles) drawMarble(pen, marble, middle, palette);
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
  pen.beginPath();
  pen.roundRect(left, middle - height / 2 + 0.5, Math.max(right - left, 2), height, 2);
  pen.fill();
}

/** Of all that the eye can tell apart, eight steps are enough. */
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
    pen.beginPath();
    for (let x = 0; x < counts.length; ) {
      const count = counts[x] as number;
      const high = count === 0 ? 0 : rise(density[x] as number);
      let end = x + 1;
      while (end < counts.length && counts[end] !== 0 && count !== 0 && rise(density[end] as number) === high) end += 1;
      if (count > 0) pen.rect(x, bottom - high, Math.max(end - x, 2), high);
      x = end;
    }
    pen.fill();
  }
}

function drawMarble(pen: CanvasRenderingContext2D, { x, mark, count }: Marble, y: number, palette: Palette): void {
  const size = mark === 0 ? (count > 1 ? 4 : 3.2) : 5;
  pen.fillStyle = palette.marks[mark] as string;
  pen.strokeStyle = palette.surface;
  pen.lineWidth = 1.5;
  pen.beginPath();
  if (mark === 0) pen.arc(x, y, size, 0, 7);
  else if (mark === 1) polygon(pen, x, y, [0, -size - 1, size + 1, 0, 0, size + 1, -size - 1, 0]);
  else if (mark === 2) pen.rect(x - size + 0.5, y - size + 0.5, 2 * size - 1, 2 * size - 1);
  else if (mark === 5) polygon(pen, x, y, [0, -size - 0.5, size + 1, size - 0.5, -size - 1, size - 0.5]);
  else if (mark === 3) {
    pen.arc(x, y, size - 0.6, 0, 7);
    pen.fillStyle = palette.surface;
    pen.strokeStyle = palette.marks[mark] as string;
    pen.lineWidth = 2;
    pen.fill();
    pen.stroke();
    return;
  } else {
    pen.fillStyle = pen.strokeStyle;
    pen.arc(x, y, size, 0, 7);
    pen.fill();
    pen.strokeStyle = palette.marks[mark] as string;
    pen.lineWidth = 2.4;
    pen.beginPath();
    pen.moveTo(x - 4, y - 4);
    pen.lineTo(x + 4, y + 4);
    pen.moveTo(x + 4, y - 4);
    pen.lineTo(x - 4, y + 4);
    pen.stroke();
    return;
  }
  pen.stroke();
  pen.fill();
}

function polygon(pen: CanvasRenderingContext2D, x: number, y: number, points: readonly number[]): void {
  for (let at = 0; at < points.length; at += 2) pen.lineTo(x + (points[at] as number), y + (points[at + 1] as number));
  pen.closePath();
}
