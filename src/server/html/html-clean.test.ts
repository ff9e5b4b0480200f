import { expect, test } from 'vitest'
import { richText } from '#shared/schemas.ts'
import { cleanHtml, imagesIn, mentionsIn, textOf, withSignedImages } from '#server/html/html-clean.ts'

const clean = (unclean: string) => cleanHtml({ unclean })

const rich = `<h2>Title</h2><p>One <strong>bold</strong> <em>slanted</em> <u>under</u> <s>gone</s> <code>x &lt; y</code><br />two</p><hr /><ul><li><p>a</p></li></ul><ol start="3"><li><p>b</p></li></ol><blockquote><p>said</p></blockquote><pre><code>line
line</code></pre><p><a href="https://example.com/?a=1&amp;b=2">link</a> <a href="mailto:a@b.example">mail</a> <a href="tel:+49123">call</a></p><table><tbody><tr><th colspan="2"><p>h</p></th></tr><tr><td rowspan="2"><p>c</p></td></tr></tbody></table><img data-file-id="12" alt="A picture" width="300" /><p><span data-mention="5">@Paula</span> 🧺 Ünïcode &amp; more</p>`

test("the editor's output is unchanged", () => {
  expect(clean(rich)).toBe(rich)
})

const hostile: [string, string][] = [
  ['<script>alert(1)</script>after', 'after'],
  ['<img src=x onerror=alert(1)>', ''],
  ['<p onclick="alert(1)" style="position:fixed" class="a" id="b">x</p>', '<p>x</p>'],
  ['<a href="javascript:alert(1)">x</a>', 'x'],
  ['<a href=" java\nscript:alert(1)">x</a>', 'x'],
  ['<a href="post:0">x</a><a href="post:1/2">y</a><a href="post:a">z</a>', 'xyz'],
  ['<a href="data:text/html,<script>alert(1)</script>">x</a>', 'x'],
  ['<a href="//evil.example">x</a><a href="/api/auth/logout">y</a>', 'xy'],
  ['<svg><g onload="alert(1)"><a><p>x</p></a></g></svg>after', 'after'],
  [
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '',
  ],
  ['<iframe srcdoc="<script>alert(1)</script>"></iframe>x', 'x'],
  ['<form action="https://evil.example"><input name="a"><button>b</button></form>', 'b'],
  [
    '<style>p{}</style><link rel="stylesheet" href="https://evil.example"><base href="https://evil.example"><meta http-equiv="refresh">x',
    'x',
  ],
  [
    '<img data-file-id="1" src="https://evil.example/x.png" onload="alert(1)">',
    '<img data-file-id="1" alt="" />',
  ],
  ['<img src="https://evil.example/x.png">', ''],
  [
    '<img src="/api/files/7?session=1&amp;signature=secret" alt="copied">',
    '<img data-file-id="7" alt="copied" />',
  ],
  ['<img data-file-id="1/../2">', ''],
  ['<noscript><p title="</noscript><img src=x onerror=alert(1)>">', ''],
  ['<scr<script>ipt>alert(1)</script>', 'ipt&gt;alert(1)'],
  ['<b>a</b><i>b</i><del>c</del>', '<strong>a</strong><em>b</em><s>c</s>'],
  ['<span data-mention="x">a</span><span style="color:red">b</span>', 'ab'],
]
test.each(hostile)('%s becomes %s', (from, to) => {
  expect(clean(from)).toBe(to)
})

test('a link without its scheme is completed', () => {
  expect(cleanHtml({ unclean: '<p><a href="example.com/page">Page</a></p>' })).toBe(
    '<p><a href="https://example.com/page">Page</a></p>',
  )
})

test('cleaning a cleaned text changes nothing, whatever the input', () => {
  const pieces = [
    ...hostile.map(([from]) => from),
    '<p>',
    '</p>',
    '<table><tr><td>',
    '</table>',
    '<a href="https://a.example">',
    '<pre>\n\nx',
    '&nbsp;&amp;lt;',
    '<!-- -->',
    '<![CDATA[x]]>',
    '</',
    '<',
    '"',
    rich,
  ]
  let seed = 7
  const next = (most: number) => (seed = (seed * 48_271) % 2_147_483_647) % most
  for (let round = 0; round < 500; round += 1) {
    const html = Array.from({ length: 1 + next(8) }, () => pieces[next(pieces.length)]).join('')
    const once = clean(html)
    expect(clean(once)).toBe(once)
    expect(once).not.toMatch(/<[^>]*(on\w+=|script|style|src=)/i)
  }
})

test('nesting 10,000 deep and 5 MB are refused with a message', () => {
  expect(() => clean('<blockquote>'.repeat(10_000))).toThrow(/nested more than 100 levels deep/)
  expect(() => clean(`${'<blockquote>'.repeat(10_000)}x${'</blockquote>'.repeat(10_000)}`)).toThrow(/nested/)
  expect(clean('<p>a<p>b<br>'.repeat(10_000)).length).toBeGreaterThan(100_000)
  expect(richText(1000).safeParse('x'.repeat(5_000_000)).error?.issues[0]?.message).toMatch(
    /^Use 1,000 characters or fewer/,
  )
  expect(richText(1000).safeParse('a\u0000').success).toBe(false)
})

test('images and mentions are stored by id; URLs are added for reading, and removed when saving again', () => {
  expect(imagesIn(rich)).toEqual([12])
  expect(mentionsIn(rich)).toEqual([5])
  const shown = withSignedImages(rich, ({ id }) => ({
    url: `/api/files/${id}?a=1&b=2`,
    small_url: null,
    download_url: '',
  }))
  expect(shown).toContain('<img data-file-id="12" src="/api/files/12?a=1&amp;b=2" alt="A picture"')
  expect(clean(shown)).toBe(rich)
})

test('lines that are divs, as in many emails, stay lines', () => {
  const email =
    '<div dir="ltr">Hello,<div><br></div>\n<div>Thanks <b>a lot</b>.</div><div><p>Room 12</p></div><div>Best</div><DIV>Jana</DIV></div>'
  expect(clean(email)).toBe('Hello,<br /><br />Thanks <strong>a lot</strong>.<p>Room 12</p>Best<br />Jana')
  expect(clean(clean(email))).toBe(clean(email))
  expect(clean('<table><tr><td><div>a</div></td></tr></table>')).toBe('<table><tr><td>a</td></tr></table>')
  expect(textOf(clean(email))).toBe('Hello,\nThanks a lot.\nRoom 12\nBest\nJana')
  // As it was received, which the list shows.
  expect(textOf('<div>Best<div>Jana</div></div>x<BR>y<br>z')).toBe('Best\nJana\nx\ny\nz')
})

test('its plain text can be extracted', () => {
  expect(textOf('<h1>Title</h1><p>a &lt; b<br />c</p>')).toBe('Title\na < b\nc')
})
