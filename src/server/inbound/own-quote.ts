/*
 * Cuts the email that an answer quotes off the answer. Only a quote that is word for word our own email, and that
 * nothing follows, is cut, so that nothing of what the sender wrote is lost: not between the lines, and not below.
 */

interface Line {
  text: string
  /** Where the line ends in the source. */
  end: number
  /** Whether it is marked as a quote. */
  isQuoted: boolean
  /** Whether a blank line, or a separate block, sets it apart from the line above. */
  isApart: boolean
}

/** An email that we sent. */
export interface Sent {
  html: string
  text: string
}

/** Something written, as lines, and as its letters and digits with the number of the line of each. */
interface Read {
  lines: Line[]
  letters: string[]
  lineOf: number[]
}

/** A shorter match could be a coincidence. */
const fewestLetters = 10

/** Returns an HTML text without the quoted email at its end. */
export const htmlWithoutQuote = (html: string, sent: readonly Sent[]): string =>
  cut(html, readHtml(html), sent)

/** Returns a plain text without the quoted email at its end. */
export const textWithoutQuote = (text: string, sent: readonly Sent[]): string =>
  cut(text, readText(text), sent)

/** @param sent the emails that can be quoted */
function cut(source: string, read: Read, sent: readonly Sent[]): string {
  const parts = sent.flatMap(({ html, text }) => [readHtml(html), readText(text)])
  const matched = Math.max(0, ...parts.map(({ letters }) => longestEnd(read.letters, letters)))
  const first = read.letters.length - matched
  if (matched < fewestLetters || first === 0) return source
  const { lines, lineOf } = read
  const isWhole = lineOf[first] !== lineOf[first - 1]
  const quote = lineOf[first]! + (isWhole ? 0 : 1)
  const last = lines[(headAbove(lines, quote) ?? 0) - 1]
  return last ? source.slice(0, last.end) : source
}

const label = /^\W*\p{L}[^:]{0,24}:\s*\S/u
/** A date, a time, or an address. */
const origin = /\b(?:19|20)\d\d\b|\d[:.]\d\d|@/

/**
 * Returns the first line of what introduces a quote, such as “On … wrote:” or what Outlook puts above it; undefined if
 * nothing does.
 */
function headAbove(lines: readonly Line[], quote: number): number | undefined {
  if (quote >= lines.length) return undefined
  let first = quote
  while (first > 0 && quote - first < 8 && !(first < quote && lines[first]!.isApart)) first -= 1
  const above = lines.slice(first, quote).map(({ text }) => text)
  const unlabeled = above.findLastIndex((text) => !label.test(text))
  const isOutlook = above.length - unlabeled > 3 && above.some((text) => origin.test(text))
  if (isOutlook) return first + unlabeled + (/^[-_]{5}/.test(above[unlabeled] ?? '') ? 0 : 1)
  const words = above.join(' ')
  if (above.length <= 3 && words.length <= 400 && /[:：]$/.test(words) && origin.test(words)) return first
  return lines.findIndex(({ isQuoted }) => isQuoted) === quote ? quote : undefined
}

/** Returns how many letters at the end of a text are, in this order, somewhere in another one. */
function longestEnd(letters: readonly string[], sent: readonly string[]): number {
  const end = letters.slice(-sent.length).toReversed()
  // Knuth, Morris, and Pratt, from the end: the time is in proportion to both lengths.
  const fallback = [0]
  for (let at = 1, length = 0; at < end.length; at += 1) {
    while (length > 0 && end[at] !== end[length]) length = fallback[length - 1]!
    if (end[at] === end[length]) length += 1
    fallback[at] = length
  }
  let longest = 0
  for (let at = sent.length - 1, length = 0; at >= 0; at -= 1) {
    while (length > 0 && (length === end.length || sent[at] !== end[length])) length = fallback[length - 1]!
    if (sent[at] === end[length]) length += 1
    longest = Math.max(longest, length)
  }
  return longest
}

const address = /https?:\/\/[^\s<>()"]+/g

function readText(text: string): Read {
  const read: Read = { lines: [], letters: [], lineOf: [] }
  let isApart = true
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    isApart ||= /\n\r?\n$/.test(text.slice(Math.max(0, index - 3), index))
    const said = line.replace(/^[\s>]+/, '').trim()
    if (said === '') {
      isApart = true
      continue
    }
    add(read, said, { end: index + line.trimEnd().length, isQuoted: /^\s*>/.test(line), isApart })
    isApart = false
  }
  return read
}

const hidden = /^(?:style|script|title|head)$/
const block = /^(?:br|p|div|tr|li|h[1-6]|blockquote|table|hr|ul|ol|pre)$/

/** Reads each character once, however broken the HTML is. */
function readHtml(html: string): Read {
  const read: Read = { lines: [], letters: [], lineOf: [] }
  let skipped = ''
  let quotes = 0
  let line = { text: '', end: 0, isQuoted: false, isApart: true }
  const flush = (isApart: boolean) => {
    if (line.text.trim() !== '') add(read, line.text.trim(), line)
    line = { text: '', end: 0, isQuoted: quotes > 0, isApart: isApart || line.text.trim() === '' }
  }
  const say = (from: number, to: number) => {
    const words = withCharacters(html.slice(from, to))
    if (skipped !== '' || words.trim() === '') {
      if (skipped === '') line.text += words
      return
    }
    line.text += words
    line.end = to
  }
  let at = 0
  for (const { 0: tag, 1: closing, 2: name, index } of html.matchAll(
    /<(?:!--[^]*?-->|(\/?)([a-z][a-z0-9]*)?[^<>]*>?)/gi,
  )) {
    say(at, index)
    at = index + tag.length
    const element = (name ?? '').toLowerCase()
    if (skipped !== '') {
      if (closing === '/' && element === skipped) skipped = ''
    } else if (closing === '' && hidden.test(element)) skipped = element
    // An image of the sender stays, such as the logo below their name.
    else if (element === 'img') {
      const above = line.text.trim() === '' ? read.lines.at(-1) : line
      if (above) above.end = at
    } else if (block.test(element)) {
      if (element === 'blockquote') quotes = Math.max(0, quotes + (closing === '/' ? -1 : 1))
      flush(element !== 'br')
    }
  }
  say(at, html.length)
  flush(true)
  return read
}

function add(read: Read, said: string, line: Omit<Line, 'text'>): void {
  const at = read.lines.push({ ...line, text: said }) - 1
  for (const [letter] of said
    .replaceAll(address, ' ')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]/gu)) {
    read.letters.push(letter)
    read.lineOf.push(at)
  }
}

/** Names of the characters from U+00C0, which some programs write for letters. */
const names =
  'Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'.split(
    ' ',
  )
const marks: Record<string, string> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const withCharacters = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal, hex, name: string) => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : 0
    if (code > 0) return code <= 0x10ffff ? String.fromCodePoint(code) : ''
    const at = names.indexOf(name)
    return marks[name] ?? (at === -1 ? whole : String.fromCodePoint(0xc0 + at))
  })
