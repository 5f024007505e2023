/** Formats milliseconds for people: `0.4 ms`, `320 ms`, `1.24 s`, `3:05`, `2:10:00`. */
export function showMs(ms: number): string {
  if (ms < 0) return `-${showMs(-ms)}`;
  if (ms < 10) return `${trimmed(ms.toFixed(ms < 1 ? 2 : 1))} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${trimmed((ms / 1_000).toFixed(2))} s`;
  return showClock(ms);
}

/** `0:23`, `4:05`, `1:02:03`, `3 d 4 h`. */
export function showClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3_600) % 24;
  if (days > 0) return `${days} d ${hours} h`;
  const [minutes, rest] = [Math.floor(seconds / 60) % 60, two(seconds % 60)];
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

const two = (number: number) => String(number).padStart(2, '0');
const trimmed = (text: string) => text.replace(/\.?0+$/, '');

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a time: the time of day, with the date on other days. It does not use the browser's own formatter, which takes longer than the rest of a row. */
export function showTime(time: number | string, now = Date.now()): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return '';
  const clock = `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
  const isToday = new Date(now).toDateString() === at.toDateString();
  return isToday ? clock : `${at.getDate()} ${MONTHS[at.getMonth()]}, ${clock}`;
}

/** `1,234,567`. */
export function showNumber(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1,234`, `12.3k`, `4.5M`. */
export function showCount(count: number): string {
  if (count < 10_000) return showNumber(count);
  return count < 1_000_000 ? `${trimmed((count / 1_000).toFixed(1))}k` : `${trimmed((count / 1_000_000).toFixed(1))}M`;
}

/** `0.0042 USD`, `1.20 USD`. */
export function showCost({ amount, currency }: { readonly amount: number; readonly currency: string }): string {
  const digits = amount === 0 || amount >= 0.1 ? 2 : Math.min(9, 1 - Math.floor(Math.log10(amount)));
  return `${amount.toFixed(digits)} ${currency}`;
}
