import { keepToken, tokenError } from '../wire/token.ts';
import { go, places } from './route.ts';

/** Asks for the token if the address did not contain it. */
export function SignIn() {
  const take = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement).get('token');
    if (typeof given === 'string' && given.trim() !== '') keepToken(given.trim());
  };
  return (
    <div class="sign-in">
      <h1>Sign in with a token</h1>
      {tokenError.value !== '' && <p class="notice error">{tokenError.value}</p>}
      <p>
        Open the address that <code>hookline inspect</code> prints; it contains the token. Or paste a token here, such
        as the one that <code>hookline serve</code> prints. The token stays in this tab.
      </p>
      <form onSubmit={take}>
        <label for="token">Token</label>
        <div class="field-row">
          <input id="token" name="token" type="password" autocomplete="off" required />
          <button type="submit" class="primary">
            Open
          </button>
        </div>
      </form>
      <p class="faint">
        A recording needs no token:{' '}
        <button type="button" class="link" onClick={() => go(places.file)}>
          open a recording
        </button>
        .
      </p>
    </div>
  );
}
