import { render } from 'preact';
import { App } from './app/app.tsx';
import { followAddress } from './app/route.ts';

followAddress();
const root = document.getElementById('page') as HTMLElement;
root.replaceChildren();
render(<App />, root);
