import { signal } from '@preact/signals';
import { visibleText } from './visible-text.ts';

const announcement = signal('');

/** Has a screen reader say something. */
export function announce(text: string): void {
  const shown = visibleText(text);
  // The same words again are only read when they differ.
  announcement.value = announcement.value === shown ? `${shown}\u00a0` : shown;
}

/** Where screen readers listen. */
export function Announcements() {
  return (
    <div class="read-out" role="status" aria-live="polite">
      {announcement.value}
    </div>
  );
}
