import { render } from 'preact';

const root = document.getElementById('page') as HTMLElement;
root.replaceChildren();
render(<h1>Hookline</h1>, root);
