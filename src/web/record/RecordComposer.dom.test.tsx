import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPage, signIn } from '#web/dom.testing.tsx'
import { RecordComposer } from '#web/record/RecordComposer.tsx'

test.each([
  ['a page', false, 'Note (n)'],
  ['a dialog, where the keys of the page do nothing', true, ''],
])('in %s, the title of the composer names its key or none', async (_where, inDialog, title) => {
  signIn(['view_task'])
  await renderPage(() => <RecordComposer type="task" id={7} inDialog={inDialog} />)
  expect(screen.getByText('Note', { exact: true }).title).toBe(title)
})

test.each([
  ['with the key for emails', ['lead_edit', 'lead_send_prospection_mail'], ['Note', 'Email']],
  ['without the key for notes', ['lead_send_prospection_mail'], []],
] as const)('%s, the composer of a lead has these tabs', async (_how, permissions, tabs) => {
  signIn(permissions)
  await renderPage(() => <RecordComposer type="lead" id={7} email={{}} />)
  expect(screen.queryAllByRole('tab').map(({ textContent }) => textContent)).toEqual(tabs)
  // A single tab is shown as a heading.
  if (tabs.length === 0) expect(screen.getByText('Email', { exact: true })).toBeTruthy()
})
