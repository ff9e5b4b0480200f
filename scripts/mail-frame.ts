import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

/*
 * Compiles the frame of all emails from MJML to HTML (docs/decisions/018). With `--check`, fails if the HTML
 * was made from another source; MJML itself is then not loaded.
 */

const source = new URL('../src/server/mail/frame.mjml', import.meta.url)
const target = new URL('../src/server/mail/frame.html', import.meta.url)

const mjml = readFileSync(source, 'utf8')
const mark = `<!-- ${createHash('sha256').update(mjml).digest('hex').slice(0, 16)} -->\n`

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8').startsWith(mark)) process.exit(0)
  console.error('src/server/mail/frame.html is outdated. Run: npm run frame')
  process.exit(1)
}

// @ts-expect-error: MJML has no types.
const { default: compile } = (await import('mjml')) as unknown as {
  default: (
    mjml: string,
    options: object,
  ) => Promise<{ html: string; errors: readonly { formattedMessage: string }[] }>
}
const { html, errors } = await compile(mjml, { validationLevel: 'strict', fonts: {}, keepComments: false })
if (errors.length) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'))
// Whitespace at line starts and empty lines would be sent with each email.
writeFileSync(target, mark + html.replaceAll(/^\s+/gm, ''))
console.log(`src/server/mail/frame.html: ${html.length} bytes`)
