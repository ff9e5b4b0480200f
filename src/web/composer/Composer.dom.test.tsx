import { useState } from 'react'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Composer } from '#web/composer/Composer.tsx'
import { renderPage, signIn } from '#web/dom.testing.tsx'
import { dropDraft, keepDraft } from '#web/form/draft.ts'

afterEach(() => localStorage.clear())

function Page() {
  const [tab, setTab] = useState('reply')
  return (
    <Composer
      chosen={tab}
      onChoose={setTab}
      tabs={['reply', 'note'].map((id) => ({
        id,
        label: id === 'reply' ? 'Reply' : 'Note',
        icon: null,
        draft: `ticket-${id}-12`,
        content: null,
      }))}
    />
  )
}
const names = () => screen.getAllByRole('tab').map(({ textContent }) => textContent)

test('a tab whose text isn’t shown says that it has a draft', async () => {
  signIn([])
  keepDraft('ticket-note-12', { note: 'Ask Kofi.' }, {})
  await renderPage(Page)
  await waitFor(() => expect(names()).toEqual(['Reply', 'Note, has a draft']))
  expect(screen.getByRole('tab', { name: /^Note ?, has a draft$/ })).toBeTruthy()
  act(() => void keepDraft('ticket-reply-12', { message: 'Hello' }, {}))
  expect(names()).toEqual(['Reply', 'Note, has a draft'])
  fireEvent.click(screen.getByRole('tab', { name: /Note/ }))
  expect(names()).toEqual(['Reply, has a draft', 'Note'])
  act(() => dropDraft('ticket-reply-12'))
  expect(names()).toEqual(['Reply', 'Note'])
})
