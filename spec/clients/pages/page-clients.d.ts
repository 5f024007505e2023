// The modules bundled with the pages; see bundle.ts.
declare module 'page-ai' {
  export * from 'ai7';
}
declare module 'page-react' {
  export * from 'react-ai7';
}
