import { marks } from '../model/mark-of.ts';
import type { Palette } from './palette.ts';

/** The width and height of the image of a marble, in pixels. */
export const BOX = 16;

const made = new WeakMap<Palette, readonly HTMLCanvasElement[]>();

/** Returns an image of each mark, by its place in `marks`, followed by that of several unchanged events. Each is drawn once, not for each marble. */
export function marblesIn(palette: Palette): readonly HTMLCanvasElement[] {
  const known = made.get(palette) ?? [...marks.map((_, mark) => picture(palette, mark, 3.2)), picture(palette, 0, 4)];
  made.set(palette, known);
  return known;
}

function picture(palette: Palette, mark: number, dot: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  // Sharp at any pixel density.
  canvas.width = canvas.height = BOX * 2 * (devicePixelRatio || 1);
  const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
  pen.scale(canvas.width / BOX, canvas.height / BOX);
  pen.translate(BOX / 2, BOX / 2);
  draw(pen, mark, dot, palette);
  return canvas;
}

const SHAPES: Readonly<Record<number, readonly number[]>> = {
  1: [0, -6, 6, 0, 0, 6, -6, 0],
  2: [-4.5, -4.5, 4.5, -4.5, 4.5, 4.5, -4.5, 4.5],
  5: [0, -5.5, 6, 4.5, -6, 4.5],
};

/** Draws a rim in the background colour, so that marbles are visible on lines and bars. */
function draw(pen: CanvasRenderingContext2D, mark: number, dot: number, palette: Palette): void {
  const [colour, ground] = [palette.marks[mark] as string, palette.surface];
  pen.fillStyle = colour;
  pen.strokeStyle = ground;
  pen.lineWidth = 1.5;
  pen.beginPath();
  const shape = SHAPES[mark];
  if (shape) {
    for (let at = 0; at < shape.length; at += 2) pen.lineTo(shape[at] as number, shape[at + 1] as number);
    pen.closePath();
  } else pen.arc(0, 0, mark === 0 ? dot : mark === 3 ? 4.4 : 5, 0, 7);
  if (mark >= 3 && !shape) {
    pen.fillStyle = ground;
    pen.fill();
    pen.strokeStyle = colour;
    pen.lineWidth = mark === 3 ? 2 : 2.4;
    if (mark === 4) cross(pen);
    pen.stroke();
    return;
  }
  pen.stroke();
  pen.fill();
}

function cross(pen: CanvasRenderingContext2D): void {
  pen.beginPath();
  pen.moveTo(-4, -4);
  pen.lineTo(4, 4);
  pen.moveTo(4, -4);
  pen.lineTo(-4, 4);
}
