import { html } from '#server/html/html.ts'

/** The styles of the page of a web form, hosted and embedded, in light and dark. */
export const pageStyles = html`
  :root { --text: #1b1b1f; --soft: #5f5f6b; --line: #85858f; --edge: #e3e3e8; --surface: #fff; --page:
  #f6f6f8; --main: #4f4fdb; --wrong: #b3261e; } @media (prefers-color-scheme: dark) { :root { --text: #ececf1;
  --soft: #a9a9b6; --line: #7d7d8a; --edge: #33333b; --surface: #1d1d22; --page: #131316; --main: #5b5be6;
  --wrong: #ff8a80; } } * { box-sizing: border-box; } body { max-width: none; margin: 0; padding: 0; color:
  var(--text); font: 15px/1.5 system-ui, sans-serif; } body:has(.hosted) { background: var(--page); } .hosted
  { max-width: 560px; margin: 40px auto; padding: 26px 30px 30px; border: 1px solid var(--edge);
  border-radius: 12px; background: var(--surface); } .embedded { padding: 4px; } .product { margin: 0 0 12px;
  font-weight: 600; } h1 { margin: 0 0 4px; font-size: 20px; line-height: 1.3; } .hosted > p, .embedded > p {
  margin: 0 0 8px; } .hosted > p:not(.product, .failure), .embedded > p:not(.failure) { color: var(--soft); }
  form { display: grid; grid-template-columns: 1fr 1fr; gap: 14px; margin-top: 16px; } .field { min-width: 0;
  } .wide, form > button { grid-column: 1 / -1; } label { display: block; font-size: 13px; font-weight: 600; }
  .required, .error, .failure { color: var(--wrong); } input:not([type='checkbox']), textarea { width: 100%;
  margin-top: 4px; padding: 8px 10px; border: 1px solid var(--line); border-radius: 6px; background:
  var(--surface); color: inherit; font: inherit; } [aria-invalid] { border-color: var(--wrong) !important; }
  .error { margin: 4px 0 0; font-size: 13px; } .consent { display: flex; gap: 8px; align-items: flex-start;
  font-weight: 400; } .consent span { min-width: 0; white-space: pre-line; } .consent input { flex: none;
  width: 18px; height: 18px; margin: 1px 0 0; } a { color: inherit; } :focus-visible { outline: 2px solid
  var(--main); outline-offset: 2px; } form > button { padding: 10px 16px; border: 0; border-radius: 6px;
  background: var(--main); color: #fff; font-weight: 600; cursor: pointer; } .trap { position: absolute; left:
  -10000px; width: 1px; height: 1px; overflow: hidden; } @media (max-width: 520px) { form {
  grid-template-columns: minmax(0, 1fr); } .hosted { margin: 0; padding: 18px 16px 22px; border: 0;
  border-radius: 0; } }
`
