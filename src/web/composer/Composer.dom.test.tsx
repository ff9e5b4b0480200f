import { useState } from 'react'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Composer } from '#web/composer/Composer.tsx'
import { renderPage, signIn } from '#web/dom.testing.tsx'
import { dropDraft, keepDraft } from '#web/form/draft.ts'

afterEach(() => localStorage.clear())

function Page({ line }: { line?: string }) {
  const [tab, setTab] = useState('reply')
  return (
    <Composer
      line={line}
      chosen={tab}
      onChoose={setTab}
      tabs={['reply', 'note'].map((id) => ({
        id,
        label: id === 'reply' ? 'Reply' : 'Note',
        icon: null,
        letter: id[0]!,
        draft: `ticket-${id}-12`,
        content: <textarea aria-label={`Text of the ${id}`} />,
      }))}
    />
  )
}
const names = () => screen.getAllByRole('tab').map(({ textContent }) => textContent)

test('a tab whose text isn’t shown says that it has a draft', async () => {
  signIn([])
  keepDraft('ticket-note-12', { note: 'Ask Kofi.' }, {})
  await renderPage(() => <Page />)
  await waitFor(() => expect(names()).toEqual(['Reply', 'Note, has a draft']))
  expect(screen.getByRole('tab', { name: /^Note ?, has a draft$/ })).toBeTruthy()
  act(() => void keepDraft('ticket-reply-12', { message: 'Hello' }, {}))
  expect(names()).toEqual(['Reply', 'Note, has a draft'])
  fireEvent.click(screen.getByRole('tab', { name: /Note/ }))
  expect(names()).toEqual(['Reply, has a draft', 'Note'])
  act(() => dropDraft('ticket-reply-12'))
  expect(names()).toEqual(['Reply', 'Note'])
})

test('a composer that starts as a line opens at the tab that is clicked, with the focus in its text', async () => {
  signIn([])
  await renderPage(() => <Page line="Reply to Ana" />)
  expect(screen.queryByRole('tab')).toBeNull()
  expect(screen.queryByRole('textbox')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Note' }))
  expect(screen.queryByRole('button', { name: 'Reply to Ana' })).toBeNull()
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Note')
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Text of the note' })).toBe(document.activeElement),
  )
})

test('the key of a tab opens the line too', async () => {
  signIn([])
  await renderPage(() => <Page line="Reply to Ana" />)
  fireEvent.keyDown(document.body, { key: 'r' })
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Text of the reply' })).toBe(document.activeElement),
  )
})
