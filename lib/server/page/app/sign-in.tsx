import { keepToken, tokenFault } from '../wire/token.ts';
import { go, places } from './route.ts';

/** Asks for the token where the address did not bring it. */
export function SignIn() {
  const take = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement).get('token');
    if (typeof given === 'string' && given.trim() !== '') keepToken(given.trim());
  };
  return (
    <div class="sign-in">
      <h1>Token needed</h1>
      {tokenFault.value !== '' && <p class="notice fault">{tokenFault.value}</p>}
      <p>
        Open the address that <code>hookline inspect</code> has printed; it brings the token along. Or paste a token
        here, such as the first one of <code>hookline serve</code>. It stays in this tab only.
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
        A recorded run needs no token:{' '}
        <button type="button" class="link" onClick={() => go(places.file)}>
          open a recording
        </button>
        .
      </p>
    </div>
  );
}
