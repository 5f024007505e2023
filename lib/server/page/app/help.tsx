import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useShortcuts } from './shortcuts.ts';

export const helpIsOpen = signal(false);

const keys = [
  [
    'Everywhere',
    [
      ['1 2 3 4', 'Now, Sessions, Runs, Hooks'],
      ['/', 'Filter'],
      ['j k', 'Next and previous'],
      ['Enter', 'Open'],
      ['t', 'Theme'],
      ['?', 'Show keyboard shortcuts'],
      ['Esc', 'Close, or go back'],
    ],
  ],
  [
    'Approvals',
    [
      ['a', 'Approve the selected call'],
      ['e', 'Edit the input and approve'],
      ['d', 'Deny with a reason'],
    ],
  ],
  [
    'A run',
    [
      ['← →', 'Move along the lanes'],
      ['+ −', 'Zoom'],
      ['0', 'Fit the run'],
      ['f', 'Follow'],
      ['o', 'Axis: time or order'],
      ['c', 'Event or conversation'],
      ['w', 'Event or timing'],
      ['x', 'Only events with an effect'],
      ['n p', 'Next and previous difference to a replay'],
    ],
  ],
] as const;

/** The keyboard shortcuts of the page. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useShortcuts({ Escape: close, '?': close });
  return (
    <dialog class="help" ref={dialog} onClose={close} aria-labelledby="help-title">
      <header>
        <h2 id="help-title">Keyboard shortcuts</h2>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </header>
      <div class="help-columns">
        {keys.map(([title, list]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {list.map(([key, what]) => (
                <div key={key}>
                  <dt>
                    {key.split(' ').map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  );
}

function close(): void {
  helpIsOpen.value = false;
}
