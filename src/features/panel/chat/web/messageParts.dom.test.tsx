import { beforeEach, expect, test } from 'vitest'
import { messageParts, referencesIn } from '#features/panel/chat/web/messageParts.ts'
import { registered, type Page } from '#web/shell/page.ts'

beforeEach(() => {
  registered.pages = [
    { path: '/demo-leads/$name/$id', shows: { lead: '/demo-leads/$name/$id' } },
    { path: '/support/ticket/$ticket/$org_id', shows: { ticket: '/support/ticket/$id/0' } },
    { path: '/designer-tasks', shows: { designer_task: '/designer-tasks?task=$id' } },
  ] as unknown as Page[]
})
const at = (path: string) => `${location.origin}${path}`

test('records are named by type and number, by number alone, and by their address in the panel', () => {
  const text = `#lead 482, #145, ${at('/support/ticket/16/3')}. ${at('/dashboard?task=7')} #lead 482`
  expect(referencesIn(text)).toEqual([
    { type: 'lead', id: 482 },
    { type: 'ticket', id: 145 },
    { type: 'ticket', id: 16 },
    { type: 'task', id: 7 },
  ])
  expect(referencesIn(`${at('/designer-tasks?task=8')} ${at('/demo-leads/aalto-linen/9#note-2')}`)).toEqual([
    { type: 'designer_task', id: 8 },
    { type: 'lead', id: 9 },
  ])
})

test.each(['#lead 0x1', 'a#145', '&#145;', 'https://elsewhere.example/demo-leads/x/9', 'http://[', '#0'])(
  '%s names no record',
  (text) => expect(referencesIn(text)).toEqual([]),
)

test('a message is text, mentions, links, and records, in order, with nothing left out', () => {
  const text = '@Paula Ferreira see https://example.com/a?b=1, then #145!'
  const parts = messageParts(text, ['Paula Ferreira', 'Paula'])
  expect(parts.map(({ kind }) => kind)).toEqual(['mention', 'text', 'link', 'text', 'record', 'text'])
  expect(parts.map((part) => part.text).join('')).toBe(text)
  expect(parts[0]!.text).toBe('@Paula Ferreira')
  expect(parts[2]!.text).toBe('https://example.com/a?b=1')
})
