import { expect, test } from 'vitest'
import {
  colorsFor,
  foldQuotes,
  hideRemoteImages,
  nameMissingImages,
  showInlineImages,
  uncommentStyles,
} from '#web/richtext/emailHtml.ts'
import { withLinks } from '#web/richtext/withLinks.ts'

const ticket = (number: number) => `/support/ticket/${number}/0`
const bodyOf = (html: string) => new DOMParser().parseFromString(html, 'text/html').body
const sourcesIn = (html: string) =>
  [...bodyOf(html).querySelectorAll('img')].map((image) => image.getAttribute('src'))
const image = (name: string, id = 1) => ({ id, name, url: `/api/files/${name}`, kind: 'image' })
const inPanel = (name: string) => new URL(`/api/files/${name}`, location.origin).href

test('addresses and numbers of tickets are links; those in links, code, and words are not', () => {
  const { innerHTML } = bodyOf(withLinks('<p>See #145, or https://a.example/x?y=1#z.</p>', ticket))
  expect(innerHTML).toBe(
    '<p>See <a href="/support/ticket/145/0">#145</a>, or <a href="https://a.example/x?y=1#z" target="_blank" rel="noopener noreferrer">https://a.example/x?y=1#z</a>.</p>',
  )
  for (const plain of [
    '<p><a href="https://a.example">https://a.example</a></p>',
    '<p><code>#145</code> and room#12, &amp;#12, #0</p>',
  ])
    expect(bodyOf(withLinks(plain, ticket)).innerHTML).toBe(plain)
})

test('the number of a record that the viewer can’t open stays text', () => {
  expect(bodyOf(withLinks('<p>See #145.</p>', () => undefined)).innerHTML).toBe('<p>See #145.</p>')
})

test('an image that came without its file is named instead of a broken icon', () => {
  const html = '<p>A <img src="cid:none" alt="Price list"> B <img src="CID:gone"> C <img src="data:x"></p>'
  const shown = bodyOf(nameMissingImages(html))
  expect(shown.textContent).toBe('A [Image missing: Price list] B [Image missing] C ')
  expect(shown.querySelectorAll('img')).toHaveLength(1)
})

test('images that an email refers to by content ID are its attached files', () => {
  const files = [image('logo.png'), image('photo.jpg')]
  const html = '<p><img src="cid:logo.png@01DC"><img src="CID:ii_7" alt="Photo.jpg"><img src="cid:none"></p>'
  expect(sourcesIn(showInlineImages(html, files))).toEqual([
    inPanel('logo.png'),
    inPanel('photo.jpg'),
    'cid:none',
  ])
  // As received emails refer to the files that they came with.
  expect(
    sourcesIn(
      showInlineImages('<img src="cid:file-8"><img src="cid:file-9">', [
        image('a.png', 7),
        image('a.png', 8),
      ]),
    ),
  ).toEqual([inPanel('a.png'), 'cid:file-9'])
  // A single image needs no name; two different ones do.
  expect(sourcesIn(showInlineImages('<img src="cid:ii_7">', [image('scan.png')]))).toEqual([
    inPanel('scan.png'),
  ])
  expect(sourcesIn(showInlineImages('<img src="cid:a"><img src="cid:b">', [image('scan.png')]))).toEqual([
    'cid:a',
    'cid:b',
  ])
})

test('an image that could be another one is not shown in the text', () => {
  const two = '<img src="cid:image.png@1"><img src="cid:image.png@2"><img src="cid:ii_3" alt="image.png">'
  const refused = ['cid:image.png@1', 'cid:image.png@2', 'cid:ii_3']
  expect(sourcesIn(showInlineImages(two, [image('image.png', 1), image('image.png', 2)]))).toEqual(refused)
  // One of the two was refused.
  expect(sourcesIn(showInlineImages(two, [image('image.png', 1)]))).toEqual(refused)
})

test('quoted earlier messages are folded, once, unless the email is nothing else', () => {
  const folded = bodyOf(
    foldQuotes('<p>Thanks!</p><div class="gmail_quote">On Monday: <blockquote>Older</blockquote></div>'),
  )
  expect(folded.querySelectorAll('details')).toHaveLength(1)
  expect(folded.querySelector('details')).toMatchObject({ open: false })
  expect(folded.querySelector('details')!.textContent).toBe('Show quoted textOn Monday: Older')
  expect(folded.querySelector(':scope > p')!.textContent).toBe('Thanks!')
  expect(bodyOf(foldQuotes('<blockquote>Only this</blockquote>')).querySelector('details')).toBeNull()
})

test('answers between the parts of a quote are shown with them, also if there is a text above', () => {
  const quote = (answer: string) =>
    `<div>See below.</div><div class="gmail_quote"><div class="gmail_attr">On Monday, Tom wrote:</div><blockquote class="gmail_quote">Which room?</blockquote>${answer}<blockquote class="gmail_quote">Which day?</blockquote></div>`
  expect(bodyOf(foldQuotes(quote('<div>The large one.</div>'))).querySelector('details')).toBeNull()
  // Control: two parts without an answer.
  expect(bodyOf(foldQuotes(quote('<br>'))).querySelectorAll('details')).toHaveLength(1)
})

test('a quote from Outlook is folded as a whole, with the header of the earlier message', () => {
  const header =
    '<p><b>From:</b> Support<br><b>Sent:</b> Monday<br><b>To:</b> Robert<br><b>Subject:</b> Invoice</p>'
  const desktop = `<div class="WordSection1"><p>The name is wrong.</p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">${header}</div></div><p>Which name?</p><p>Tom</p></div>`
  const onTheWeb = `<div>The name is wrong.</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">${header}</div><div>Which name?</div><div>Tom</div>`
  for (const html of [desktop, onTheWeb]) {
    const folded = bodyOf(foldQuotes(html))
    expect(folded.querySelectorAll('details')).toHaveLength(1)
    const quoted = folded.querySelector('details')!
    expect(quoted.textContent).toMatch(/^Show quoted textFrom: .*Which name\?Tom$/)
    quoted.remove()
    expect(folded.textContent).toBe('The name is wrong.')
    expect(folded.querySelector('hr')).toBeNull()
  }
  // Control: a line above something else, such as a signature, is not a quote.
  const signature =
    '<p>Hi</p><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p><b>Robert</b></p></div>'
  expect(bodyOf(foldQuotes(signature)).querySelector('details')).toBeNull()
})

test('the quote at the end of a plain text email is folded, with the line above it', () => {
  const plain =
    '<p>Thanks!</p><p>&gt; is not a prompt.<br />Bye<br />On Mon, Tom wrote:<br />&gt; One</p><p>&gt;<br />&gt; Two</p>'
  const folded = bodyOf(foldQuotes(plain))
  expect(folded.querySelectorAll('details')).toHaveLength(1)
  const quoted = folded.querySelector('details')!
  expect(quoted.textContent).toBe('Show quoted textOn Mon, Tom wrote:> One>> Two')
  quoted.remove()
  expect(folded.textContent).toBe('Thanks!> is not a prompt.Bye')
  const apart = bodyOf(foldQuotes('<p>Thanks!</p><p>On Mon, Tom wrote:</p><p>&gt; One</p>'))
  expect(apart.querySelector('details')!.textContent).toBe('Show quoted textOn Mon, Tom wrote:> One')
  // Answers between quoted lines are read along with them.
  for (const open of ['<p>&gt; One?</p><p>Yes.</p><p>&gt; Two?</p><p>No.</p>', '<p>&gt; Only this</p>'])
    expect(bodyOf(foldQuotes(open)).querySelector('details')).toBeNull()
})

test('the styles of an email from Outlook are taken out of their comment', () => {
  const rules = '@page {size:612pt} p.MsoNormal {margin:0cm}'
  expect(
    uncommentStyles(`<style type="text/css"><!-- ${rules} --></style><!-- note --><p>Hi</p>`).replaceAll(
      / +/g,
      ' ',
    ),
  ).toBe(`<style type="text/css"> ${rules} </style><!-- note --><p>Hi</p>`)
})

test('images on other servers are replaced by their descriptions, and those without one are left out', () => {
  const { innerHTML } = bodyOf(
    hideRemoteImages(
      '<p>Hi <img src="https://a.example/pixel.gif" alt=""><img src="http://a.example/b.png" alt="Spring sale"><img src="/api/files/7"></p>',
    ),
  )
  expect(innerHTML).toBe('<p>Hi [Image not loaded: Spring sale]<img src="/api/files/7"></p>')
})

test('in the dark theme, an email’s own colors are inverted, unless the email is dark itself', () => {
  const plain = '<p>Words</p>'
  const colored = '<p style="color:black">Words</p>'
  const isDark = [
    '<body bgcolor="#111111" text="#eeeeee"><p>Words</p></body>',
    '<body style="margin:0;background-color: rgb(17, 17, 17)"><p style="color:white">Words</p></body>',
    '<body style="background:#000"><p style="color:#fff">Words</p></body>',
  ]
  expect(colorsFor(colored, true)).toContain('invert(1)')
  for (const html of [plain, ...isDark]) {
    expect(colorsFor(html, true)).not.toContain('invert')
    expect(colorsFor(html, true)).toContain('color:#e8e8ec')
    // The browser's own blue would be unreadable.
    expect(colorsFor(html, true)).toMatch(/(?<=})a\{color:#[\da-f]{6}}/)
  }
  expect(colorsFor('<body style="background:#ffffff"><p>Words</p></body>', true)).toContain('invert(1)')
  // In the light theme, every email keeps its own colors.
  for (const html of [plain, colored, ...isDark]) expect(colorsFor(html, false)).not.toContain('invert')
})
