import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allTexts, codeTexts, markdownTexts, type Text } from '#app/testing/words.testing.ts'

/*
 * Comments, strings, and docs must be plain American English (docs/words.md). Each idiom comes with a better
 * wording.
 */

const idioms: readonly (readonly [idiom: RegExp, instead: string])[] = [
  [/\b(whoever|whomever|whichever way)\b/i, 'name the subject: the user, the caller, they'],
  [
    /(^|[.;:(“"'`*/]\s*)(who|what) (is|was|has|had|may|can|asks?|sends?|comes?|goes|looks?|writes?|stands?|it|they|somebody|nobody|a|the|one)\b(?![^.]*\?)/i,
    'a noun instead of a clause',
  ],
  [
    /\b(somebody|nobody|anybody|everybody)\b/i,
    'someone, no one, everyone; or the role: assignee, requester, Unassigned',
  ],
  [/\bstands? (in|on|at|there|here|for ever|beside|below|above|once|open)\b/i, 'is, is stored, appears'],
  [/\b(is|are|was|were) (there|here|gone) (already|again|now|then)\b/i, 'already exists, has been removed'],
  [/\bthere is no such\b/i, 'does not exist'],
  [
    /\b(takes? it back|taken back|put back|goes on|go on|comes back|lets? one|of its own accord)\b/i,
    'undo, restore, continue, return',
  ],
  [
    /\b(at once|amid|alike|for ever)\b/i,
    'immediately, in one go, or concurrently; during; both; permanently',
  ],
  [
    /\be-mails?\b|(?<![\w./{,-]|Apple )mails?\b(?! (server|queue|gateway|box|transaction|from)|\/|\.\w|:)/i,
    'email, message',
  ],
  [/\b(meanwhile|afterwards|besides)\b[.;]?\s*(\*\/)?$/i, 'the usual place of the adverb, or leave it out'],
  [
    /\bmay (not )?(see|do|read|write|open|change|have (?!been|taken|come|gone|got|done|made|seen|to\b|\w+ed\b))\b/i,
    'can, is allowed to, has permission to',
  ],
  [/\bone['’]s\b|\b(is|are|of|something) ours\b/i, 'your, their, the user’s; our own'],
  [
    /\bof (its|our|their) own(?=[.,;:)"”]|$| (and|or|that|which|for|in|so|with|such|to)\b)/i,
    'its own, a separate',
  ],
  [/\b(with|in) words\b|\bthe server['’]s words\b/i, 'with a message, as text; the server’s message'],
  [/\b(anew|asks? again|asked (again|once|for again))\b/i, 'again, retried, refetched, reloaded'],
  [
    /\bthe (newest|oldest|latest|earliest|last|highest|lowest|longest|nearest|first) first\b|\bthe (day|moment) (on|at) which\b/i,
    'newest first; the day when, or only “the day”',
  ],
  [/\b(is|are|was|were) (told|looked at|turned away)\b/i, 'notified; checked, viewed; refused, denied'],
  [
    /\b(has|have|had|lacks?|without|needs?|with) (the|a|no|that|another) rights?\b(?!-| (now|time|place|way|side|hand|thing|format|type|value|order|away|to))/i,
    'permission',
  ],
  [
    /\b(this|that|it|which|he|they) (is|are|was) no (?!longer|more|different|better|worse|less|fewer|exception|good|doubt|big|way|need|use)\w+/i,
    'is not a …',
  ],
  [/\b(an?|the|one|that|this) acts?\b(?! (as|like|on|upon))/i, 'action, operation'],
  [
    /(?<!fire)\bwalls?\b(?![- ](clock|time)|\.\w)|\brooms? (of|in) (a|the|one|each|this|that) (feature|house|tree)\b/i,
    'module boundary; feature folder',
  ],
]

/** Texts that are allowed to keep an idiom, each identified by a part of the text. At most 40. */
const exceptions: readonly (readonly [part: string, reason: string])[] = [
  ['from mails where record_type', 'the table, in SQL that is built as text'],
  ['the user nobody', 'the system user that PostgreSQL runs as'],
  ['mails as m', 'SQL: a table and its alias'],
  ['E-Mail', 'a column header in files of customers'],
  ['Tamsel,nobody', 'an invalid address in a CSV file'],
  ['the username nobody', 'a username'],
  ['Who can change', 'a question of the demo FAQs'],
  ['mailto:a@b.example', 'the text of a link, which the editor must not change'],
]

/** Returns the idioms found in texts, each with its location and a better wording. */
const idiomsIn = (texts: readonly Text[]) =>
  texts.flatMap(({ file, line, text }) =>
    idioms.flatMap(([idiom, instead]) => {
      const found = idiom.exec(text)?.[0].trim()
      return found === undefined || exceptions.some(([part]) => text.includes(part))
        ? []
        : [`${file}:${line} “${found}”: ${instead}`]
    }),
  )

test('no comment, string, or line of the docs has an idiom that reads as translated', () => {
  const texts = allTexts()
  expect(idiomsIn(texts)).toEqual([])
  // Make sure that the texts were actually read.
  expect(texts.length).toBeGreaterThan(15_000)
  for (const kind of ['.ts', '.tsx', '.css', '.md'])
    expect(texts.some(({ file }) => file.endsWith(kind))).toBe(true)
})

test('every exception is used', () => {
  const texts = allTexts()
  expect(exceptions.length).toBeLessThanOrEqual(40)
  expect(exceptions.filter(([part]) => !texts.some(({ text }) => text.includes(part)))).toEqual([])
})

test('control: planted sentences are found in every kind of text', () => {
  const code = [
    '// The rest of this sentence goes',
    '// on in the next line.',
    '/** Whoever asks gets it. */',
    "const one = 'Nobody'",
    'const two = `${one} is sent at once.`',
    "const three = sql`select 'Somebody' as who, mails.id from mails`",
    'const four = <p title="An e-mail">\n  There is no such\n  page.\n</p>',
    "import five from './mails.ts'",
    "const six = 'mails'",
  ].join('\n')
  const found = idiomsIn(codeTexts('planted.tsx', code)).map((line) =>
    /:(\d+) “(.+?)”/.exec(line)!.slice(1).join(' '),
  )
  expect(found.sort()).toEqual([
    '1 goes on',
    '3 Whoever',
    '4 Nobody',
    '5 at once',
    '6 Somebody',
    '7 There is no such',
    '7 e-mail',
  ])

  const page = ['A draft is put back.', '```', 'nobody', '```', 'The code `nobody` is not text.'].join('\n')
  expect(idiomsIn(markdownTexts('planted.md', page))).toEqual([
    'planted.md:1 “put back”: undo, restore, continue, return',
  ])
})

test('every page and heading of the docs that a text cites exists', () => {
  const root = join(import.meta.dirname, '../../..')
  const anchorsOf = (page: string) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title!
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    )
  const broken = (file: string, source: string) =>
    [...source.matchAll(/\b(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)]
      .filter(
        ([, page, anchor]) =>
          !existsSync(join(root, page!)) || (anchor !== undefined && !anchorsOf(page!).includes(anchor)),
      )
      .map(([cited]) => `${file}: ${cited}`)
  const files = globSync('{src,e2e,bench,scripts}/**/*.{ts,tsx,mjs,sql}', { cwd: root }).filter(
    (file) => !file.endsWith('words.test.ts'),
  )
  expect(files.flatMap((file) => broken(file, readFileSync(join(root, file), 'utf8')))).toEqual([])
  const planted = '// docs/product.md#leads, docs/product.md#no-such-heading, docs/nothing.md'
  expect(broken('planted', planted)).toEqual([
    'planted: docs/product.md#no-such-heading',
    'planted: docs/nothing.md',
  ])
})
