import { fireEvent, screen } from '@testing-library/react'
import { useLocation } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { renderPage } from '#web/dom.testing.tsx'
import { LinkOverPage, useOpenOverPage } from '#web/record/LinkOverPage.tsx'

function Page() {
  const { pathname, search, state } = useLocation()
  const open = useOpenOverPage('task')
  return (
    <>
      <LinkOverPage name="task" id={7}>
        Task
      </LinkOverPage>
      <button onClick={() => open(undefined)}>Close</button>
      <output>{JSON.stringify([pathname, search, (state as { place?: number }).place])}</output>
    </>
  )
}

test('a record opens over the page, and closing it leads back to the page with its place in a list', async () => {
  const { go } = await renderPage(Page)
  await go('/support/ticket/12/0?layout=table', { place: 3 } as never)
  const now = () => JSON.parse(screen.getByRole('status').textContent) as unknown
  const page = ['/support/ticket/12/0', { layout: 'table' }, 3]
  await expect.poll(now).toEqual(page)
  const link = screen.getByRole('link', { name: 'Task' })
  expect(link.getAttribute('href')).toBe('/support/ticket/12/0?layout=table&task=7')
  fireEvent.click(link)
  await expect.poll(now).toEqual([page[0], { layout: 'table', task: 7 }, 3])
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await expect.poll(now).toEqual(page)
})
