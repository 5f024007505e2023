// What the pages are bundled with; see bundle.ts.
declare module 'page-ai' {
  export * from 'ai7';
}
declare module 'page-react' {
  export * from 'react-ai7';
}
