import { signal } from '@preact/signals';
import { visibleText } from './visible-text.ts';

const announcement = signal('');

/** Makes a screen reader announce a text. */
export function announce(text: string): void {
  const shown = visibleText(text);
  // A screen reader reads a repeated text only if it differs.
  announcement.value = announcement.value === shown ? `${shown}\u00a0` : shown;
}

/** The live region for screen readers. */
export function Announcements() {
  return (
    <div class="read-out" role="status" aria-live="polite">
      {announcement.value}
    </div>
  );
}
