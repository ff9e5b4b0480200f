import { act } from 'react'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import SavedReplyMenu from '#features/crm/support/web/saved-replies/SavedReplyMenu.tsx'
import type { ReplyTarget } from '#features/crm/support/web/saved-replies/useInsertable.ts'
import { asked, renderPage, settle, signIn } from '#web/dom.testing.tsx'
import { MenuKeys } from '#web/richtext/editorMenu.ts'

const ticket: ReplyTarget = { id: 12, category: 2 }
const reply = (id: number, name: string, category: number | null = null) => ({
  id,
  name,
  shortcut: '',
  category,
  status: null,
  is_shared: true,
  words: name,
  uses: 3,
  last_used_at: null,
  updated_at: '2026-03-16T10:00:00.000Z',
  version: 1,
})
const lists = [reply(1, 'Any'), reply(2, 'Towels', 2), reply(3, 'Users', 1)]
const faqs = [{ id: 8, title: 'How do I count towels?', published_at: '2026-03-01T10:00:00.000Z' }]

const answers: [RegExp, (id: number) => unknown][] = [
  [/\/support\/saved-replies\?/, () => ({ data: lists, total: 3, per_page: 20 })],
  [
    /\/support\/saved-replies\/(\d+)$/,
    (id) => ({ data: { id, content: `<p>Hi {{first_name}}, ${id}</p>`, files: [], status: null } }),
  ],
  [/\/support\/saved-replies$/, () => ({ data: lists, total: 3, per_page: 20 })],
  [/\/support\/faqs\?/, () => ({ data: faqs })],
  [/\/faqs\/(\d+)$/, () => ({ data: { content: '<p>Open Count.</p>', images: 2 } })],
  [
    /\/ticket\/12\/saved-replies\/(\d+)$/,
    (id) => ({ data: { id, content: `<p>Filled ${id}</p>`, files: [], status: null } }),
  ],
]
/** Answers the requests that were not answered yet; those for lists of options stay open. */
async function answer(from: number): Promise<number> {
  await settle()
  const count = asked.length
  for (const { address, answer: reply } of asked.slice(from))
    for (const [path, bodyOf] of answers) {
      const match = path.exec(address)
      if (match) reply(200, bodyOf(Number(match[1])))
    }
  await settle()
  return asked.length > count ? answer(count) : count
}

async function open(query: string, target = ticket) {
  signIn(['all_tickets_view'])
  const keys = new MenuKeys()
  const [choose, onInserted] = [vi.fn(), vi.fn()]
  await renderPage(() => (
    <SavedReplyMenu
      target={target}
      query={query}
      place={undefined}
      keys={keys}
      choose={choose}
      onInserted={onInserted}
    />
  ))
  let answered = await answer(0)
  const press = async (key: string) => {
    let isHandled = false
    act(() => void (isHandled = keys.press(key)))
    answered = await answer(answered)
    return isHandled
  }
  return { choose, onInserted, press }
}
const names = () =>
  screen.getAllByRole('option').map((one) => within(one).getByText(/./, { selector: 'strong' }).textContent)
const selected = () => screen.getByRole('option', { selected: true }).textContent

test('replies for the ticket’s category come first; once something was typed, FAQs follow', async () => {
  await open('count')
  expect(names()).toEqual(['Towels', 'Any', 'Users', 'How do I count towels?'])
  expect(screen.getByRole('group', { name: 'FAQs for “count”' })).toBeTruthy()
  expect(screen.getByText('Filled 2')).toBeTruthy()
})

test('without a search there are no FAQs and no digits, which then are typed', async () => {
  const { choose, press } = await open('')
  expect(names()).toEqual(['Towels', 'Any', 'Users'])
  expect(asked.some(({ address }) => address.includes('/faqs'))).toBe(false)
  expect(await press('2')).toBe(false)
  expect(choose).not.toHaveBeenCalled()
})

test('the arrows select, and the answer of an FAQ is shown without its images and inserted', async () => {
  const { choose, onInserted, press } = await open('count')
  await press('ArrowUp')
  expect(selected()).toContain('How do I count towels?')
  expect(screen.getByText('Open Count.')).toBeTruthy()
  expect(screen.getByText(/Without its 2 images/)).toBeTruthy()
  await press('Enter')
  expect(choose).toHaveBeenCalledExactlyOnceWith('<p>Open Count.</p>')
  expect(onInserted).not.toHaveBeenCalled()
})

test('a digit inserts the reply with that number', async () => {
  const { choose, onInserted, press } = await open('count')
  expect(await press('3')).toBe(true)
  expect(choose).toHaveBeenCalledExactlyOnceWith('<p>Filled 3</p>')
  expect(onInserted).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: 3 }))
  expect(await press('9')).toBe(false)
})

test.each(['Enter', 'Tab'])(
  '%s inserts the selected reply, which can be edited before it is sent',
  async (key) => {
    const { choose, press } = await open('count')
    expect(await press(key)).toBe(true)
    expect(choose).toHaveBeenCalledExactlyOnceWith('<p>Filled 2</p>')
  },
)

test('a click inserts', async () => {
  const { choose } = await open('count')
  fireEvent.click(screen.getByRole('option', { name: /^Any/ }))
  await answer(0)
  expect(choose).toHaveBeenCalledExactlyOnceWith('<p>Filled 1</p>')
})

test('an answer to several tickets gets a reply with its variables, which each ticket fills in', async () => {
  const { choose, onInserted, press } = await open('count', { category: 2 })
  expect(names()[0]).toBe('Towels')
  expect(screen.getByText('Hi {{first_name}}, 2')).toBeTruthy()
  await press('Enter')
  expect(choose).toHaveBeenCalledExactlyOnceWith('<p>Hi {{first_name}}, 2</p>')
  expect(onInserted).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: 2 }))
})
